package dev.holdfast.browser;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code workbench.test.mjs}: the Workbench in a real Chromium, in a project of its own. */
class WorkbenchPageIT {

    private String key;
    private String project;
    private E2bClient client;
    private Shelf shelf;

    @BeforeEach
    void makesAProject() throws Exception {
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        project = new NativeClient(key).project();
        client = new E2bClient(SharedServer.api(), key);
        shelf = new Shelf(project);
    }

    @AfterEach
    void leavesNothing() throws Exception {
        shelf.close();
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    @Test
    @Tag("R1")
    @Tag("R5")
    @Tag("R6")
    @Tag("R11")
    @Tag("R34")
    @Tag("R35")
    @Tag("R36")
    @Tag("R37")
    @Tag("R38")
    @Tag("R39")
    @Tag("R40")
    @Tag("R41")
    @Tag("R42")
    @Tag("R44")
    @Tag("R60a")
    @Tag("R64")
    @Tag("R65")
    @Tag("R68")
    @Tag("R69")
    @Tag("R70")
    @Tag("R71")
    @Tag("R72")
    void peopleRunSaveAndLoadInABrowser() throws Exception {
        Pages.run(
                "workbench.test.mjs",
                Map.of(
                        "workbench",
                        Map.of(
                                "key",
                                key,
                                "project",
                                project,
                                "upload",
                                shelf.uploading().toString(),
                                "pending",
                                shelf.pending(1, 90, null, null).toString(),
                                "foreign",
                                foreign().toString())));
    }

    /** A real one, as if a machine of another kind had saved it. */
    private UUID foreign() throws Exception {
        var source = client.create("base", Duration.ofMinutes(5));
        UUID saved = UUID.fromString(client.snapshot(source).id());
        client.kill(source.id());
        shelf.needs(saved, "sparc");
        return saved;
    }
}
