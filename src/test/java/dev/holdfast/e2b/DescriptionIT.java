package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import io.restassured.RestAssured;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the server says of itself. */
class DescriptionIT {

    @Test
    @Tag("R74")
    void callsTheSnapshotOperationsAPreview() {
        var answer = RestAssured.get(SharedServer.api() + "/e2b/openapi.yaml");

        assertThat(answer.statusCode()).isEqualTo(200);
        var document = answer.asString();
        assertThat(document).startsWith("openapi: 3.1");
        assertThat(operation("createSnapshot", document)).contains("x-preview: true");
        assertThat(operation("listSnapshots", document)).contains("x-preview: true");
        assertThat(operation("createSandbox", document)).doesNotContain("x-preview");
    }

    private static String operation(String id, String document) {
        var found =
                Pattern.compile(
                                "operationId: " + id + "\\n.*?(?=\\n    \\S|\\n  \\S|\\z)",
                                Pattern.DOTALL)
                        .matcher(document);
        assertThat(found.find()).as(id).isTrue();
        return found.group();
    }
}
