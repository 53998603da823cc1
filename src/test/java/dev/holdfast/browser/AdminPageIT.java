package dev.holdfast.browser;

import dev.holdfast.run.SharedServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code admin.test.mjs}: keys, limits, audit, webhooks and projects in a real Chromium. */
class AdminPageIT {

    private final Tenant team = new Tenant("Claims");
    private Shelf shelf;

    @BeforeEach
    void keepsASnapshot() throws Exception {
        shelf = new Shelf(team.id());
    }

    @AfterEach
    void removesIt() throws Exception {
        shelf.close();
    }

    @Test
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    @Tag("R58")
    @Tag("R59")
    @Tag("R60")
    void peopleAdministerAProjectAndTheServiceInABrowser() throws Exception {
        Map<String, Object> told = new HashMap<>();
        told.put("snapshot", shelf.saved(2, 120, "baseline:v1").toString());
        told.put("reader", team.key("a reader", "snapshots:read"));
        told.put("deputy", team.key("a deputy", "snapshots:read", "project:admin"));
        Pages.run(
                "admin.test.mjs",
                Map.of("team", team.told(told), "admin", SharedServer.adminKey()));
    }
}
