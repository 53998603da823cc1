package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A second project on a running server, with a key of its own: what one project makes, the other
 * must not see. Nothing in the API makes projects yet, so the database does.
 */
public final class OtherProject {
    private OtherProject() {}

    /** Its key; a new project each time. */
    public static String key(URI api, String apiKey, String databaseUrl)
            throws IOException, InterruptedException, SQLException {
        var request =
                HttpRequest.newBuilder(api.resolve("/api-keys"))
                        .timeout(Duration.ofSeconds(20))
                        .header("Content-Type", "application/json")
                        .header("X-API-KEY", apiKey)
                        .POST(BodyPublishers.ofString("{\"name\":\"of another project\"}"))
                        .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        var issued = new JsonPath(answer.body());
        move(databaseUrl, issued.getString("id"));
        return issued.getString("key");
    }

    private static void move(String databaseUrl, String key) throws SQLException {
        try (var connection = DriverManager.getConnection(databaseUrl);
                var statement =
                        connection.prepareStatement(
                                "with other as (insert into project (id, name, slug, plan_bytes,"
                                        + " plan_snapshots, plan_live_sandboxes,"
                                        + " plan_lifetime_seconds, created_at) values"
                                        + " (gen_random_uuid(), 'Neighbour', null,"
                                        + " 1000000000000, 1000, 100, 86400, now())"
                                        + " returning id) update api_key set project_id ="
                                        + " (select id from other) where id = ?::uuid")) {
            statement.setString(1, key);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }
}
