package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/**
 * The programs on the published, unmodified E2B packages, each of their tests shown as one here.
 * Three files at a time, because a program waits as long as it works. A run of all of them also
 * proves that every public method is used, and that the README says what the run showed. The usual
 * run leaves out what an older package, or one around the same code, shows once more, and has each
 * test of the Python package use one of its two faces.
 */
class SdkIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;
    private static final int LANES = Integer.getInteger("holdfast.sdk.lanes", 3);

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

    private final List<SdkCase> cases = new ArrayList<>();
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
        var lanes = Executors.newFixedThreadPool(LANES, SdkIT::lane);
        var containers = new ArrayList<DynamicContainer>();
        for (var sdk : sdks) {
            Sdk.delete(sdk.place().resolve("used"));
            for (var program : sdk.programs()) {
                String name = sdk.directory() + "/" + program;
                if (name.contains(only)) {
                    var code = lanes.submit(() -> run(sdk, program));
                    containers.add(later(name, () -> testsOf(sdk, program, code)));
                }
            }
        }
        lanes.shutdown();
        if (only.isEmpty()) {
            containers.add(later("all together", () -> together(sdks)));
        }
        return containers.stream();
    }

    private static Thread lane(Runnable programs) {
        var thread = new Thread(programs, "lane");
        thread.setDaemon(true);
        return thread;
    }

    private static int run(Sdk sdk, String program) throws Exception {
        sdk.install();
        Files.deleteIfExists(sdk.report(program));
        return sdk.run(program, sdk.report(program), sdk.log(program));
    }

    /** What it shows is only read when its turn has come; it may have ended long before. */
    private static DynamicContainer later(String name, Tests tests) {
        return DynamicContainer.dynamicContainer(
                name,
                Stream.of(name)
                        .flatMap(
                                word -> {
                                    try {
                                        return tests.make().stream();
                                    } catch (Exception e) {
                                        return Stream.of(failing(name, e));
                                    }
                                }));
    }

    private interface Tests {
        List<DynamicTest> make() throws Exception;
    }

    private static DynamicTest failing(String name, Exception cause) {
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    throw new AssertionError(cause.getMessage(), cause);
                });
    }

    private List<DynamicTest> testsOf(Sdk sdk, String program, Future<Integer> run)
            throws Exception {
        int code = run.get();
        var report = sdk.report(program);
        var log = sdk.log(program);
        if (!Files.exists(report)) {
            throw new IOException("no report: " + Sdk.read(log));
        }
        var tests = new ArrayList<DynamicTest>();
        var found = Sdk.parse(report).getElementsByTagName("testcase");
        for (int i = 0; i < found.getLength(); i++) {
            var at = sdk.caseOf(program, (Element) found.item(i));
            cases.add(at);
            tests.add(shown(at));
        }
        // The runner itself may fail, or a hook: then there is no test to blame.
        tests.add(
                DynamicTest.dynamicTest(
                        program + " ends well",
                        () -> assertThat(code).as(() -> Sdk.read(log)).isZero()));
        return tests;
    }

    private static DynamicTest shown(SdkCase at) {
        return DynamicTest.dynamicTest(
                at.name(),
                () -> {
                    if (at.failure().isPresent()) {
                        throw new AssertionError(at.failure().get());
                    }
                });
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
                            () -> assertTable(new Compatibility(titles, cases, leftOut))));
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
