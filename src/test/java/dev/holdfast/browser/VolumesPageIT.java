package dev.holdfast.browser;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code volumes.test.mjs}: the Volumes page in a real Chromium, and volumes in the Workbench. */
class VolumesPageIT {

    private final Tenant real = new Tenant("Underwriting");

    @AfterEach
    void leavesNothing() {
        var client = new E2bClient(SharedServer.api(), real.manager());
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    @Test
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    @Tag("R43")
    @Tag("R73")
    void peopleShareFilesBetweenSessions() throws Exception {
        Pages.run(
                "volumes.test.mjs",
                Map.of(
                        "real",
                        real.told(
                                Map.of(
                                        "user",
                                        real.key("a user", "sandboxes:use"),
                                        "reader",
                                        real.key("a reader", "snapshots:read"),
                                        "deputy",
                                        real.key("a deputy", "project:admin")))));
    }
}
