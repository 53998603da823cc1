package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.w3c.dom.Element;

/**
 * Programs of several packages, each of their tests shown as one here. Some files at a time,
 * because a program waits as long as it works.
 */
public final class Programs {

    private final String name;
    private final ExecutorService lanes;
    private final List<SdkCase> cases = new ArrayList<>();

    /**
     * @param name part of the names of reports and logs; others run the same programs meanwhile
     * @param lanes how many at a time
     */
    Programs(String name, int lanes) {
        this.name = name;
        this.lanes = Executors.newFixedThreadPool(lanes, Programs::lane);
    }

    /**
     * Each area of the newest packages against an installation of the test's own.
     *
     * @param environment what the programs are told
     * @param wanted which programs, by the names of directory and file
     * @param tests an expression that the names of the JavaScript programs' tests have
     */
    public static Stream<DynamicContainer> against(
            String name,
            Map<String, String> environment,
            Predicate<String> wanted,
            String tests,
            int lanes)
            throws IOException {
        var sdks =
                List.of(
                        new NpmSdk("js-2.51", "e2b", Set.of(), tests, () -> environment),
                        new NpmSdk(
                                "interpreter-2.8",
                                "@e2b/code-interpreter",
                                Set.of("none"),
                                tests,
                                () -> environment),
                        new PythonSdk("python", true, () -> environment));
        return new Programs(name, lanes).of(sdks, wanted);
    }

    /** What the tests that were shown came to. */
    List<SdkCase> cases() {
        return cases;
    }

    /** The last of them ends the lanes. */
    Stream<DynamicContainer> of(List<? extends Sdk> sdks, Predicate<String> wanted)
            throws IOException {
        var containers = new ArrayList<DynamicContainer>();
        for (var sdk : sdks) {
            for (var program : sdk.programs()) {
                String title = sdk.directory() + "/" + program;
                if (wanted.test(title)) {
                    var code = lanes.submit(() -> run(sdk, program));
                    containers.add(later(title, () -> testsOf(sdk, program, code)));
                }
            }
        }
        lanes.shutdown();
        return containers.stream();
    }

    private static Thread lane(Runnable programs) {
        var thread = new Thread(programs, "lane");
        thread.setDaemon(true);
        return thread;
    }

    private int run(Sdk sdk, String program) throws Exception {
        sdk.install();
        Files.deleteIfExists(report(sdk, program));
        return sdk.run(program, report(sdk, program), log(sdk, program));
    }

    private Path log(Sdk sdk, String program) {
        return sdk.place().resolve(program + name + ".log");
    }

    private Path report(Sdk sdk, String program) {
        return sdk.place().resolve(program + name + ".xml").toAbsolutePath();
    }

    /** What it shows is only read when its turn has come; it may have ended long before. */
    static DynamicContainer later(String name, Tests tests) {
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

    interface Tests {
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
        var report = report(sdk, program);
        var log = log(sdk, program);
        if (!Files.exists(report)) {
            throw new IOException("no report: " + Sdk.read(log));
        }
        var tests = new ArrayList<DynamicTest>();
        var found = Sdk.parse(report).getElementsByTagName("testcase");
        for (int i = 0; i < found.getLength(); i++) {
            var at = sdk.caseOf(program, (Element) found.item(i));
            cases.add(at);
            if (!at.skipped()) {
                tests.add(shown(at));
            }
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
}
