package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/**
 * The programs on the published, unmodified E2B package, each of their tests shown as one here.
 * Node's own runner runs them; one file at a time, because several at once would fight for this
 * machine's processors and measure each other.
 */
class SdkIT {

    private static final Path SOURCES = Path.of("src/test/sdk/js-2.51");
    private static final Path PLACE = Path.of("target/sdk/js-2.51");
    private static final Duration INSTALLING = Duration.ofMinutes(5);
    private static final Duration RUNNING = Duration.ofMinutes(30);

    /** Beside the sources: what npm brings does not belong into the source tree. */
    @BeforeAll
    static void installs() throws Exception {
        SharedServer.get();
        var lock = PLACE.resolve("node_modules/.holdfast-lock");
        var wanted = Files.readString(SOURCES.resolve("package-lock.json"));
        copy(SOURCES, PLACE);
        if (!Files.exists(lock) || !Files.readString(lock).equals(wanted)) {
            var log = PLACE.resolve("npm.log");
            int code = run(INSTALLING, log, Map.of(), "npm", "ci", "--no-audit", "--no-fund");
            assertThat(code).as(() -> read(log)).isZero();
            Files.writeString(lock, wanted);
        }
    }

    @TestFactory
    Stream<DynamicContainer> programs() throws IOException {
        String only = System.getProperty("holdfast.sdk", "");
        try (var files = Files.list(SOURCES)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".test.mjs") && name.contains(only))
                    .sorted()
                    .toList()
                    .stream()
                    .map(SdkIT::program);
        }
    }

    /** The stream is only asked when the container's turn has come, so files run in turn. */
    private static DynamicContainer program(String file) {
        return DynamicContainer.dynamicContainer(file, Stream.of(file).flatMap(SdkIT::testsOf));
    }

    private static Stream<DynamicTest> testsOf(String file) {
        var report = PLACE.resolve(file + ".xml").toAbsolutePath();
        var log = PLACE.resolve(file + ".log");
        try {
            Files.deleteIfExists(report);
            int code =
                    run(
                            RUNNING,
                            log,
                            environment(),
                            "node",
                            "--test",
                            "--test-reporter=spec",
                            "--test-reporter-destination=stdout",
                            "--test-reporter=junit",
                            "--test-reporter-destination=" + report,
                            file);
            var tests = new ArrayList<>(casesOf(report));
            // The runner itself may fail, or a hook: then there is no test to blame.
            tests.add(
                    DynamicTest.dynamicTest(
                            file + " ends well",
                            () -> assertThat(code).as(() -> read(log)).isZero()));
            return tests.stream();
        } catch (Exception e) {
            return Stream.of(
                    DynamicTest.dynamicTest(
                            file,
                            () -> {
                                throw new AssertionError(read(log), e);
                            }));
        }
    }

    private static List<DynamicTest> casesOf(Path report) throws Exception {
        var cases =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getElementsByTagName("testcase");
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> shown((Element) cases.item(i)))
                .toList();
    }

    private static DynamicTest shown(Element testcase) {
        var failures = testcase.getElementsByTagName("failure");
        return DynamicTest.dynamicTest(
                testcase.getAttribute("name"),
                () -> {
                    if (failures.getLength() > 0) {
                        throw new AssertionError(failures.item(0).getTextContent());
                    }
                });
    }

    private static Map<String, String> environment() {
        var server = SharedServer.get();
        var url = SharedServer.api().toString();
        boolean full = Integer.getInteger("holdfast.repeat", 2) >= 10;
        var all = new HashMap<String, String>();
        all.put("E2B_API_KEY", SharedServer.apiKey());
        all.put("E2B_API_URL", url);
        all.put("E2B_SANDBOX_URL", url);
        all.put("HOLDFAST_HTTPS_PORT", Integer.toString(server.options().httpsPort()));
        all.put("HOLDFAST_MANAGEMENT_PORT", Integer.toString(server.options().managementPort()));
        all.put("HOLDFAST_TEST_AUTHORITY", server.authority().orElseThrow().toString());
        all.put("HOLDFAST_TEST_DOMAIN", server.domain());
        all.put("HOLDFAST_TEST_RESOLVER", SharedServer.resolver().toAbsolutePath().toString());
        all.put("HOLDFAST_DB_PORT", Integer.toString(server.options().databasePort()));
        all.put("HOLDFAST_TEST_RESTORES", full ? "20" : "6");
        all.put("HOLDFAST_TEST_CAPTURES", full ? "30" : "5");
        return all;
    }

    private static int run(
            Duration limit, Path log, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(command)
                        .directory(PLACE.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " runs longer than " + limit);
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var relative = from.relativize(file);
                if (relative.startsWith("node_modules")) {
                    continue;
                }
                var target = to.resolve(relative);
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static String read(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "no output";
        } catch (IOException e) {
            return "no output: " + e.getMessage();
        }
    }
}
