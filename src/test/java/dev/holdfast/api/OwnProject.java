package dev.holdfast.api;

import static io.restassured.RestAssured.given;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A project that a test has made for itself, with keys as it wants them. */
final class OwnProject {
    private final String id;
    private final String slug;

    private OwnProject(JsonPath made) {
        id = made.getString("id");
        slug = made.getString("slug");
    }

    static OwnProject make(String name) {
        var slug = name + "-" + UUID.randomUUID().toString().substring(0, 8);
        return new OwnProject(
                NativeClient.expect(
                        201,
                        service("POST", "/admin/projects", Map.of("name", name, "slug", slug))));
    }

    String id() {
        return id;
    }

    String slug() {
        return slug;
    }

    /** A key with these permissions, made by the service. */
    String key(String... permissions) {
        return issued(permissions).getString("key");
    }

    JsonPath issued(String... permissions) {
        return NativeClient.expect(
                201,
                service(
                        "POST",
                        "/projects/" + id + "/keys",
                        Map.of("name", "of a test", "permissions", List.of(permissions))));
    }

    String everything() {
        return key("snapshots:read", "sandboxes:use", "sandboxes:manage", "project:admin");
    }

    static E2bClient client(String key) {
        return new E2bClient(SharedServer.api(), key);
    }

    static Response service(String verb, String path, Object body) {
        return ask(SharedServer.adminKey(), verb, path, body);
    }

    /** Below {@code /api/v1}; no body if it is null. */
    static Response ask(String key, String verb, String path, Object body) {
        return ask(given().header("X-API-Key", key), verb, path, body);
    }

    static Response ask(RequestSpecification call, String verb, String path, Object body) {
        var with =
                body == null
                        ? call
                        : call.contentType("application/json").body(NativeClient.json(body));
        return with.urlEncodingEnabled(false).request(verb, SharedServer.api() + "/api/v1" + path);
    }
}
