package dev.holdfast.browser;

import dev.holdfast.e2b.Npm;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs below {@code src/test/browser} that use the server's pages in a real Chromium. */
class BrowserIT {

    private static final Path SOURCES = Path.of("src/test/browser");
    private static final Path PLACE = Path.of("target/browser");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @BeforeAll
    static void installs() throws Exception {
        Npm.install(SOURCES, PLACE);
    }

    @Test
    void findsJobsAnExecutionAndTheQueueInTheManagementConsole() throws Exception {
        try (var management = new Management(SharedServer.get())) {
            management.job("purge-tombstones", Map.of());
        }
        var settings = SharedServer.get().options().settings();
        Npm.run(
                PLACE,
                PATIENCE,
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
}
