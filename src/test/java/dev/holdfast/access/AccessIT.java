package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AccessIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String STRANGE = "e2b_" + "0".repeat(40);

    private static HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return CLIENT.send(
                request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(SharedServer.api() + path));
    }

    private static HttpResponse<String> get(String path, String key)
            throws IOException, InterruptedException {
        return send(request(path).header("X-API-Key", key));
    }

    private static JsonReader reader(HttpResponse<String> response) {
        return Json.createReader(new StringReader(response.body()));
    }

    private static JsonObject object(HttpResponse<String> response) {
        return reader(response).readObject();
    }

    private static JsonArray array(HttpResponse<String> response) {
        return reader(response).readArray();
    }

    private static JsonObject issue(String permissions) throws IOException, InterruptedException {
        var response =
                send(
                        request("/api-keys")
                                .header("X-API-Key", SharedServer.apiKey())
                                .POST(
                                        BodyPublishers.ofString(
                                                "{\"name\":\"test\",\"permissions\":%s}"
                                                        .formatted(permissions))));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return object(response);
    }

    private static void sql(String statement, String id) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var prepared = connection.prepareStatement(statement)) {
            prepared.setString(1, id);
            assertThat(prepared.executeUpdate()).isEqualTo(1);
        }
    }

    private static String query(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void assertStranger(HttpResponse<String> response, String why) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(401);
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/json");
        var json = object(response);
        assertThat(json.getInt("code")).isEqualTo(401);
        assertThat(json.getString("reason")).isEqualTo("unauthenticated");
        assertThat(json.getString("message")).contains(why);
    }

    @Test
    @Tag("R89")
    void showsItsProjectToAKeyButNotTheKey() throws Exception {
        var response = get("/teams", SharedServer.apiKey());

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).doesNotContain(SharedServer.apiKey());
        var team = array(response).getJsonObject(0);
        assertThat(array(response)).hasSize(1);
        assertThat(team.getString("slug")).isEqualTo("default");
        assertThat(team.getString("name")).isEqualTo("Default");
        assertThat(team.getString("teamID")).hasSize(36);
        assertThat(team.getString("apiKey")).matches("e2b_[0-9a-f]{4}\\.\\.\\.[0-9a-f]{4}");
    }

    @Test
    void takesTheHeaderInAnyCase() throws Exception {
        for (var name : new String[] {"X-API-KEY", "x-api-key"}) {
            assertThat(send(request("/teams").header(name, SharedServer.apiKey())).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @Tag("R89")
    void refusesNoKeyAndWrongOnesInJson() throws Exception {
        assertStranger(send(request("/teams")), "No API key");
        assertStranger(get("/teams", STRANGE), "Invalid API key");
        for (var malformed :
                new String[] {"", "x", "sk_" + STRANGE, SharedServer.apiKey().toUpperCase()}) {
            assertStranger(get("/teams", malformed), "Invalid API key");
        }
        assertStranger(
                send(
                        request("/teams")
                                .header("X-API-Key", SharedServer.apiKey())
                                .header("X-API-Key", STRANGE)),
                "Invalid API key");
    }

    @Test
    void takesNoBearerTokenOutsideTheNativeApi() throws Exception {
        assertStranger(
                send(request("/teams").header("Authorization", "Bearer " + SharedServer.apiKey())),
                "No API key");
    }

    @Test
    void answersLivenessWhateverKeyIsShown() throws Exception {
        assertThat(send(request("/health")).statusCode()).isEqualTo(200);
        assertThat(get("/health", "nonsense").statusCode()).isEqualTo(200);
    }

    @Test
    @Tag("R8")
    void namesThePermissionAKeyLacks() throws Exception {
        var reader = issue("[\"snapshots:read\"]");

        assertThat(get("/teams", reader.getString("key")).statusCode()).isEqualTo(200);
        var denied = get("/api-keys", reader.getString("key"));

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(object(denied).getString("reason")).isEqualTo("permission_missing");
        assertThat(object(denied).getString("message")).contains("project:admin");
    }

    @Test
    void letsNoProjectAdministratorMakeAnOperator() throws Exception {
        var response =
                send(
                        request("/api-keys")
                                .header("X-API-Key", SharedServer.apiKey())
                                .POST(
                                        BodyPublishers.ofString(
                                                "{\"name\":\"x\",\"permissions\":[\"service:admin\"]}")));

        assertThat(response.statusCode()).isEqualTo(400);
    }

    @Test
    void refusesARevokedKeyAtOnceAndListsItNoMore() throws Exception {
        var issued = issue("[\"project:admin\"]");
        var key = issued.getString("key");
        var path = "/api-keys/" + issued.getString("id");
        assertThat(get("/api-keys", key).body()).contains(issued.getString("id"));

        var revoked = send(request(path).header("X-API-Key", SharedServer.apiKey()).DELETE());

        assertThat(revoked.statusCode()).isEqualTo(204);
        assertThat(revoked.body()).isEmpty();
        assertStranger(get("/api-keys", key), "revoked");
        assertThat(get("/api-keys", SharedServer.apiKey()).body())
                .doesNotContain(issued.getString("id"));
    }

    @Test
    void refusesAKeyFromTheInstantItExpires() throws Exception {
        var issued = issue("[\"snapshots:read\"]");
        sql(
                "update api_key set expires_at = clock_timestamp() where id = ?::uuid",
                issued.getString("id"));

        assertStranger(get("/teams", issued.getString("key")), "expired");
    }

    @Test
    void knowsNoKeyOfAnotherProject() throws Exception {
        var issued = issue("[\"snapshots:read\"]");
        query(
                "insert into project (id, name, plan_bytes, plan_snapshots, plan_live_sandboxes,"
                        + " plan_lifetime_seconds, created_at)"
                        + " values (gen_random_uuid(), 'Other', 1, 1, 1, 1, now()) returning id");
        sql(
                "update api_key set project_id = (select id from project where name = 'Other'"
                        + " limit 1) where id = ?::uuid",
                issued.getString("id"));

        for (var id : new String[] {issued.getString("id"), "1-2-3-4-5", "x", "..%2F.."}) {
            var response =
                    send(
                            request("/api-keys/" + id)
                                    .header("X-API-Key", SharedServer.apiKey())
                                    .DELETE());
            assertThat(response.statusCode()).as(id).isEqualTo(404);
            assertThat(object(response).getString("reason")).isEqualTo("not_found");
        }
        assertThat(get("/teams", issued.getString("key")).body())
                .contains("Other")
                .doesNotContain("\"slug\"");
    }

    @Test
    void writesTheLastUseWithoutKeepingTheSecret() throws Exception {
        var issued = issue("[\"snapshots:read\"]");
        get("/teams", issued.getString("key"));
        var lastUse =
                "select last_used_at from api_key where id = '" + issued.getString("id") + "'";

        var deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (query(lastUse) == null && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }

        var first = query(lastUse);
        assertThat(first).isNotNull();
        get("/teams", issued.getString("key"));
        Thread.sleep(300);
        assertThat(query(lastUse)).isEqualTo(first);
        assertThat(query("select string_agg(k::text, ' ') from api_key k"))
                .doesNotContain(issued.getString("key").substring(4));
        assertThat(Files.readString(SharedServer.get().console()))
                .doesNotContain(issued.getString("key"), SharedServer.apiKey());
    }

    @Test
    void hasOneProjectAndOneLiveKeyOfItAndOneOfTheServiceFromTheSettings() throws Exception {
        assertThat(query("select count(*) from project where slug = 'default'")).isEqualTo("1");
        assertThat(
                        query(
                                "select string_agg((project_id is null)::text, ' ' order by"
                                        + " project_id is null) from api_key"
                                        + " where bootstrap and revoked_at is null"))
                .isEqualTo("false true");
    }
}
