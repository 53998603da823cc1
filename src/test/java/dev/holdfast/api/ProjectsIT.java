package dev.holdfast.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProjectsIT {

    @Test
    void namesTheCallersProjectByIdAndBySlugAndNoOther() {
        JsonPath team =
                given().header("X-API-Key", SharedServer.apiKey())
                        .get(SharedServer.api() + "/teams")
                        .jsonPath();
        String id = team.getString("[0].teamID");
        for (String named : new String[] {id, team.getString("[0].slug")}) {
            given().header("Authorization", "Bearer " + SharedServer.apiKey())
                    .get(SharedServer.api() + "/api/v1/projects/" + named)
                    .then()
                    .statusCode(200)
                    .body("id", equalTo(id));
        }
        given().header("X-API-Key", SharedServer.apiKey())
                .get(SharedServer.api() + "/api/v1/projects/" + UUID.randomUUID())
                .then()
                .statusCode(404)
                .contentType("application/problem+json")
                .body("reason", equalTo("project_not_found"));
    }
}
