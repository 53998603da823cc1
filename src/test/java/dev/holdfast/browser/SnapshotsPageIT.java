package dev.holdfast.browser;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code snapshots.test.mjs}: sign-in and the Snapshots page in a real Chromium. */
class SnapshotsPageIT {

    private static final int SAVED = 56;
    private static final int TRASH_DAYS = 2;

    private final Tenant many = new Tenant("Claims");
    private final Tenant kept = new Tenant("Archive");
    private final Tenant real = new Tenant("Underwriting");
    private final Tenant empty = new Tenant("Pilot");
    private Shelf shelf;
    private Shelf trash;
    private E2bClient client;
    private String sandbox;

    @BeforeEach
    void fillsAProject() throws Exception {
        shelf = new Shelf(many.id());
        trash = new Shelf(kept.id());
        client = new E2bClient(SharedServer.api(), real.manager());
        sandbox = client.create("base", Duration.ofMinutes(10)).id();
    }

    @AfterEach
    void emptiesIt() throws Exception {
        shelf.close();
        trash.close();
        client.kill(sandbox);
        empty.clear();
    }

    @Test
    @Tag("R1")
    @Tag("R2")
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    @Tag("R10")
    @Tag("R11")
    @Tag("R12")
    @Tag("R13")
    @Tag("R14")
    @Tag("R15")
    @Tag("R16")
    @Tag("R17")
    @Tag("R18")
    @Tag("R19")
    @Tag("R20")
    @Tag("R21")
    @Tag("R22")
    @Tag("R23")
    @Tag("R24")
    @Tag("R25")
    @Tag("R26")
    @Tag("R27")
    @Tag("R28")
    @Tag("R29")
    @Tag("R30")
    @Tag("R31")
    @Tag("R32")
    @Tag("R33")
    @Tag("R34")
    @Tag("R44")
    @Tag("R45")
    @Tag("R46")
    @Tag("R47")
    @Tag("R48")
    @Tag("R49")
    @Tag("R50")
    @Tag("R51")
    @Tag("R54")
    @Tag("R55")
    @Tag("R58")
    @Tag("R59")
    @Tag("R61")
    @Tag("R62")
    @Tag("R63")
    @Tag("R64")
    @Tag("R65")
    @Tag("R66")
    @Tag("R69")
    @Tag("R71")
    @Tag("R72")
    @Tag("R73")
    void peopleFindOpenAndRemoveSnapshotsInABrowser() throws Exception {
        Map<String, Object> told = new HashMap<>();
        told.put("upload", shelf.uploading().toString());
        shelf.uploading();
        told.put("pending", shelf.pending(1, 90, "old:v1", null).toString());
        shelf.pending(2, 120, null, "The store does not answer.");
        told.put("saved", shelf.saved(3, 182, "deps-ready:default").toString());
        for (int i = 1; i <= SAVED; i++) {
            shelf.saved(3 + i * 5, 20 + i * 37 % 211, i % 5 == 0 ? "nightly-" + i + ":v1" : null);
        }
        for (int i = 1; i <= 3; i++) {
            shelf.saved(300 - i, 64, "doomed-" + i + ":default");
        }
        told.put("shared", shelf.saved(290, 32, "shared:v1").toString());
        told.put("wanted", shelf.saved(291, 32, "wanted:v1").toString());
        many.limit(shelf.charge() * 100 / 84, 200);
        told.put("count", SAVED + 10);
        told.put("reader", many.key("a reader", "snapshots:read", "sandboxes:use"));
        told.put("user", many.key("a user", "sandboxes:use"));

        Pages.run(
                "snapshots.test.mjs",
                Map.of(
                        "many",
                        many.told(told),
                        "kept",
                        kept.told(filledTrash()),
                        "real",
                        real.told(Map.of("sandbox", sandbox)),
                        "empty",
                        empty.told(Map.of()),
                        "admin",
                        SharedServer.adminKey()));
    }

    /** Some of it named, and one of the names has another holder by now. */
    private Map<String, String> filledTrash() throws Exception {
        kept.keepTrash(Duration.ofDays(TRASH_DAYS));
        Map<String, String> told = new HashMap<>();
        told.put("draft", trash.saved(3, 48, "draft:v1").toString());
        told.put("renewed", trash.trashed(30, 120, "report:v1").toString());
        trash.saved(4, 60, "report:v1");
        told.put("old", trash.trashed(50, 210, "old:v3").toString());
        trash.trashed(60, 33, null);
        trash.trashed(61, 34, null);
        trash.charge();
        told.put("reader", kept.key("a reader", "snapshots:read"));
        return told;
    }
}
