package dev.holdfast.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs below {@code src/test/browser} that use the server's pages in a real Chromium. */
class BrowserIT {

    private static final Path SOURCES = Path.of("src/test/browser");
    private static final Path PLACE = Path.of("target/browser");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @BeforeAll
    static void installs() throws Exception {
        Files.createDirectories(PLACE);
        try (var sources = Files.list(SOURCES)) {
            for (var source : sources.filter(Files::isRegularFile).toList()) {
                Files.copy(
                        source,
                        PLACE.resolve(source.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        var installed = PLACE.resolve("node_modules/.holdfast-lock");
        var wanted = Files.readString(SOURCES.resolve("package-lock.json"));
        if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
            execute(Map.of(), "npm", "ci", "--no-audit", "--no-fund");
            Files.writeString(installed, wanted);
        }
    }

    @Test
    void findsJobsAnExecutionAndTheQueueInTheManagementConsole() throws Exception {
        try (var management = new Management(SharedServer.get())) {
            management.job("purge-tombstones", Map.of());
        }
        var settings = SharedServer.get().options().settings();
        execute(
                Map.of(
                        "HOLDFAST_MANAGEMENT",
                        SharedServer.get().management().toString(),
                        "HOLDFAST_MANAGEMENT_USER",
                        settings.get("HOLDFAST_MANAGEMENT_USER"),
                        "HOLDFAST_MANAGEMENT_PASSWORD",
                        settings.get("HOLDFAST_MANAGEMENT_PASSWORD"),
                        "HOLDFAST_BROWSER_SHOTS",
                        PLACE.toAbsolutePath().toString()),
                "node",
                "--test",
                "management.test.mjs");
    }

    private static void execute(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var log = PLACE.resolve(command[0] + ".log");
        var builder =
                new ProcessBuilder(command)
                        .directory(PLACE.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ends in time: %s", String.join(" ", command))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(log)).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "no output: " + e.getMessage();
        }
    }
}
