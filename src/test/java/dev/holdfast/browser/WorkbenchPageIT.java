package dev.holdfast.browser;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.Npm;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Workbench in a real Chromium, in a project of its own. */
class WorkbenchPageIT {

    private static final Path SOURCES = Path.of("src/test/browser");
    private static final Path PLACE = Path.of("target/browser");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static String key;

    @BeforeAll
    static void installs() throws Exception {
        Npm.install(SOURCES, PLACE);
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
    }

    @AfterAll
    static void leavesNothing() {
        var client = new E2bClient(SharedServer.api(), key);
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    @Test
    void savesLoadsAndRunsAsPeopleDo() throws Exception {
        Npm.run(
                PLACE,
                PATIENCE,
                Map.of(
                        "HOLDFAST_CONSOLE",
                        SharedServer.api().toString(),
                        "HOLDFAST_KEY",
                        key,
                        "HOLDFAST_BROWSER_SHOTS",
                        PLACE.toAbsolutePath().toString()),
                "node",
                "--test",
                "workbench.test.mjs");
    }
}
