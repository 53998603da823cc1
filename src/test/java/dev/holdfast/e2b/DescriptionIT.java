package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import io.restassured.RestAssured;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the server says of itself. */
class DescriptionIT {

    @Test
    @Tag("R74")
    void callsTheSnapshotOperationsAPreview() {
        Map<String, Map<String, Map<String, Object>>> paths =
                RestAssured.get(SharedServer.api() + "/openapi?format=JSON")
                        .jsonPath()
                        .getMap("paths");

        assertThat(paths.get("/sandboxes/{id}/snapshots").get("post")).containsKey("x-preview");
        assertThat(paths.get("/snapshots").get("get")).containsKey("x-preview");
        assertThat(paths.get("/sandboxes").get("post")).doesNotContainKey("x-preview");
    }
}
