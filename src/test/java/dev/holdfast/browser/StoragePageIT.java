package dev.holdfast.browser;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code storage.test.mjs}: the Storage page in a real Chromium. */
class StoragePageIT {

    private static final int SAVED = 12;

    private final Tenant many = new Tenant("Claims");
    private Shelf shelf;

    @BeforeEach
    void begins() throws Exception {
        shelf = new Shelf(many.id());
    }

    @AfterEach
    void emptiesIt() throws Exception {
        shelf.close();
    }

    @Test
    @Tag("R10")
    @Tag("R21")
    @Tag("R32")
    @Tag("R56")
    @Tag("R57")
    @Tag("R58")
    @Tag("R59")
    @Tag("R66")
    @Tag("R67")
    @Tag("R84")
    void peopleSeeWhatIsStoredAndWhatGoes() throws Exception {
        shelf.uploading();
        shelf.pending(1, 90, "old:v1", null);
        shelf.pending(2, 120, null, "The store does not answer.");
        shelf.expiring("ending:default", 182, Duration.ofHours(30));
        for (int i = 1; i <= SAVED; i++) {
            shelf.saved(3 + i * 5, 60 + i * 37 % 211, i % 2 == 0 ? "nightly-" + i + ":v1" : null);
        }
        many.limit(shelf.charge() * 100 / 84, 40);
        shelf.used(60);
        Pages.run(
                "storage.test.mjs",
                Map.of(
                        "many",
                        many.told(Map.of("reader", many.key("a reader", "snapshots:read")))));
    }
}
