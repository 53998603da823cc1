package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The programs on the published, unmodified E2B packages, each of their tests shown as one here.
 * Three files at a time, because a program waits as long as it works. A run of all of them also
 * proves that every public method is used, and that the README says what the run showed. The usual
 * run leaves out what an older package, or one around the same code, shows once more, and has each
 * test of the Python package use one of its two faces.
 */
class SdkIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;

    private static final Path README = Path.of("README.md");
    private static final Path TABLE = Path.of("target/compatibility.md");

    /** What the oldest package may do otherwise than the newest. */
    private static final Set<String> OLDEST = FULL ? Set.of() : Set.of("snapshot");

    /** The part of the code interpreter that needs no kernel is the other package's own code. */
    private static final Set<String> WITHOUT_KERNEL =
            FULL
                    ? Set.of(
                            "commands",
                            "files",
                            "signing",
                            "life",
                            "fork",
                            "network",
                            "metrics",
                            "snapshot")
                    : Set.of("snapshot");

    private final Programs programs = new Programs("", Integer.getInteger("holdfast.sdk.lanes", 3));
    private Map<String, String> environment;

    @TestFactory
    Stream<DynamicContainer> programs() throws IOException {
        var sdks =
                List.of(
                        new NpmSdk("js-2.45", "e2b", OLDEST, this::environment),
                        new NpmSdk("js-2.51", "e2b", Set.of(), this::environment),
                        new NpmSdk(
                                "interpreter-2.8",
                                "@e2b/code-interpreter",
                                WITHOUT_KERNEL,
                                this::environment),
                        new PythonSdk("python", FULL, this::environment));
        String only = System.getProperty("holdfast.sdk", "");
        for (var sdk : sdks) {
            Sdk.delete(sdk.place().resolve("used"));
        }
        var containers = programs.of(sdks, name -> name.contains(only));
        return only.isEmpty()
                ? Stream.concat(
                        containers, Stream.of(Programs.later("all together", () -> together(sdks))))
                : containers;
    }

    private List<DynamicTest> together(List<? extends Sdk> sdks) throws IOException {
        var leftOut = LeftOut.read();
        var tests = new ArrayList<DynamicTest>();
        var titles = new ArrayList<String>();
        for (var sdk : sdks) {
            titles.addAll(sdk.titles());
            if (FULL || sdk.isWhole()) {
                tests.add(
                        DynamicTest.dynamicTest(
                                "every public method of " + sdk.directory() + " is used",
                                () -> assertUsed(sdk, leftOut)));
            }
        }
        if (FULL) {
            tests.add(
                    DynamicTest.dynamicTest(
                            "the README's table says what this run showed",
                            () ->
                                    assertTable(
                                            new Compatibility(titles, programs.cases(), leftOut))));
        }
        return tests;
    }

    private static void assertUsed(Sdk sdk, List<LeftOut> leftOut) throws IOException {
        var use = SdkUse.of(sdk.place().resolve("used"));
        assertThat(use.surface()).as("what there is").hasSizeGreaterThan(50);
        assertThat(use.forgotten(sdk.directory(), leftOut)).as("used by no program").isEmpty();
        assertThat(use.stale(sdk.directory(), leftOut)).as("left out without need").isEmpty();
    }

    private static void assertTable(Compatibility shown) throws IOException {
        Files.writeString(TABLE, shown.markdown() + "\n");
        var readme = Files.readString(README);
        if ("write".equals(System.getProperty("holdfast.compatibility"))) {
            Files.writeString(README, shown.into(readme));
            return;
        }
        assertThat(Compatibility.of(readme))
                .as("README.md; mvn verify -Dit.test=SdkIT -Dholdfast.compatibility=write")
                .isEqualTo(shown.markdown());
    }

    private synchronized Map<String, String> environment() {
        if (environment == null) {
            environment = SdkEnvironment.made(FULL);
        }
        return environment;
    }
}
