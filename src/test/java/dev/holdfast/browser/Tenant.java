package dev.holdfast.browser;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A project of a test's own, with people who may more and less in it. */
final class Tenant {

    private final String id;
    private final String name;
    private final String slug;
    private final String manager;

    Tenant(String name) {
        this.name = name;
        slug = "console-" + UUID.randomUUID().toString().substring(0, 8);
        id = service("POST", "/admin/projects", Map.of("name", name, "slug", slug)).getString("id");
        manager =
                key(
                        "the manager",
                        "snapshots:read",
                        "sandboxes:use",
                        "sandboxes:manage",
                        "project:admin");
    }

    String id() {
        return id;
    }

    String manager() {
        return manager;
    }

    /** What gives a person this permission here. */
    String role(String permission) {
        return "holdfast:" + slug + ":" + permission;
    }

    String key(String called, String... permissions) {
        return service(
                        "POST",
                        "/projects/" + id + "/keys",
                        Map.of("name", called, "permissions", List.of(permissions)))
                .getString("key");
    }

    /** What is enforced instead of the plan. */
    void limit(long bytes, int snapshots) {
        service(
                "PATCH",
                "/admin/projects/" + id,
                Map.of("serviceLimit", Map.of("bytes", bytes, "snapshots", snapshots)));
    }

    /** For how long what is deleted can be brought back. */
    void keepTrash(Duration trash) {
        ask(manager, "PATCH", "/projects/" + id, Map.of("trashSeconds", trash.toSeconds()));
    }

    /** Ends its sandboxes and deletes its snapshots. */
    void clear() {
        var client = new E2bClient(SharedServer.api(), manager);
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    /** As the programs are told of it. */
    Map<String, Object> told(Map<String, ?> more) {
        Map<String, Object> all = new LinkedHashMap<>(more);
        all.putAll(Map.of("id", id, "name", name, "slug", slug, "manager", manager));
        return all;
    }

    private static JsonPath service(String verb, String path, Object body) {
        return ask(SharedServer.adminKey(), verb, path, body);
    }

    /** Below {@code /api/v1}. */
    static JsonPath ask(String key, String verb, String path, Object body) {
        var answer =
                given().header("X-API-Key", key)
                        .contentType("application/json")
                        .body(JsonOutput.toJson(body))
                        .request(verb, SharedServer.api() + "/api/v1" + path);
        assertThat(answer.statusCode()).as(answer.asString()).isBetween(200, 299);
        return answer.jsonPath();
    }
}
