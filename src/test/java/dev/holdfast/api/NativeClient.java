package dev.holdfast.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.LocalServer;
import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** Speaks the native API of the caller's own project, and to the database behind it. */
public final class NativeClient {

    private final URI api;
    private final String key;
    private final String project;
    private final String slug;

    public NativeClient() {
        this(SharedServer.apiKey());
    }

    public NativeClient(String key) {
        this(SharedServer.api(), key);
    }

    /** The first project of a server of the test's own. */
    public NativeClient(LocalServer server) throws IOException {
        this(server.api(), server.apiKey());
    }

    /** By way of any node. */
    public NativeClient(URI api, String key) {
        this.api = api;
        this.key = key;
        JsonPath team = call().get(api + "/teams").jsonPath();
        project = team.getString("[0].teamID");
        slug = team.getString("[0].slug");
    }

    public String slug() {
        return slug;
    }

    public String project() {
        return project;
    }

    public Response get(String path) {
        return call().get(address(path));
    }

    public Response delete(String path) {
        return call().delete(address(path));
    }

    public Response patch(String path, Object body) {
        return call().contentType("application/json").body(json(body)).patch(address(path));
    }

    public Response patchIf(String path, String tag, Object body) {
        return call().contentType("application/json")
                .header("If-Match", tag)
                .body(json(body))
                .patch(address(path));
    }

    public Response post(String path, Object body) {
        return call().contentType("application/json").body(json(body)).post(address(path));
    }

    public Response postPreferring(String preference, String path, Object body) {
        return call().contentType("application/json")
                .header("Prefer", preference)
                .body(json(body))
                .post(address(path));
    }

    public JsonPath snapshot(String id) {
        return expect(200, get("/snapshots/" + id));
    }

    public JsonPath sandbox(String id) {
        return expect(200, get("/sandboxes/" + id));
    }

    public Response restore(String snapshot, Map<String, ?> overrides) {
        return post("/snapshots/" + snapshot + "/restore", overrides);
    }

    public Response dryRun(String snapshot, Map<String, ?> overrides) {
        return post("/snapshots/" + snapshot + "/restore?dryRun=true", overrides);
    }

    public static JsonPath expect(int status, Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        return answer.jsonPath();
    }

    public static void assertRefused(int status, String reason, Response answer) {
        assertThat(expect(status, answer).getString("reason"))
                .as(answer.asString())
                .isEqualTo(reason);
    }

    public static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A change past the server. */
    public int sql(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var each = connection.createStatement()) {
            return each.executeUpdate(statement);
        }
    }

    public String value(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var each = connection.createStatement();
                var rows = each.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** A text is JSON already. */
    public static String json(Object body) {
        return body instanceof String text ? text : JsonOutput.toJson(body);
    }

    /** Paths are written as they are to be sent. */
    private RequestSpecification call() {
        return given().urlEncodingEnabled(false).header("X-API-Key", key);
    }

    private String address(String path) {
        return api + "/api/v1/projects/" + project + path;
    }
}
