package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.OwnProject.ask;
import static dev.holdfast.api.OwnProject.service;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.access.Permission;
import dev.holdfast.problem.Token;
import dev.holdfast.run.SharedServer;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may do what: projects, their keys, and every method of the native API. */
class KeysIT {
    private static final List<Function<String, RequestSpecification>> HEADERS =
            List.of(
                    key -> given().header("X-API-Key", key),
                    key -> given().header("Authorization", "Bearer " + key));

    private static OwnProject project;
    private static String admin;

    @BeforeAll
    static void makesAProject() {
        project = OwnProject.make("keys");
        admin = project.everything();
    }

    private static Map<Permission, String> keyOfEach() {
        var keys = new LinkedHashMap<Permission, String>();
        for (var permission : Permission.values()) {
            keys.put(
                    permission,
                    permission == Permission.SERVICE_ADMIN
                            ? SharedServer.adminKey()
                            : project.key(permission.word()));
        }
        return keys;
    }

    private static Response call(ApiMethod method, RequestSpecification as) {
        var address = method.address(method.path().startsWith("/admin") ? "none" : project.id());
        return as.contentType(method.mediaType())
                .body((method.verb().equals("GET") ? "" : "{}").getBytes(StandardCharsets.UTF_8))
                .urlEncodingEnabled(false)
                .request(method.verb(), SharedServer.api() + "/api/v1" + address);
    }

    @Test
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    @Tag("R10")
    void everyMethodIsForWhoHasItsPermissionAndNamesItToOthers() {
        var keys = keyOfEach();
        ApiMethod.of(new ApiApplication())
                .forEach(
                        method -> {
                            assertRefused(401, "unauthenticated", call(method, given()));
                            keys.forEach((permission, key) -> judges(method, permission, key));
                        });
    }

    private static void judges(ApiMethod method, Permission permission, String key) {
        // Each method meets both headers, each permission one of them.
        var header = HEADERS.get(permission.ordinal() % HEADERS.size());
        var answer = call(method, header.apply(key));
        var what = "%s %s as %s".formatted(method.verb(), method.path(), permission);
        if (method.permissions().contains(permission.word())) {
            assertThat(answer.statusCode()).as(what).isNotIn(401, 403).isLessThan(500);
        } else {
            assertThat(answer.statusCode()).as(what).isEqualTo(403);
            assertThat(answer.jsonPath().getString("reason"))
                    .as(what)
                    .isEqualTo("permission_missing");
            assertThat(answer.jsonPath().getString("permission").split(" or "))
                    .as(what)
                    .containsExactlyInAnyOrderElementsOf(method.permissions());
        }
    }

    @Test
    void aKeyMakesNoStrongerKeyThanItselfInNeitherDialect() {
        var weak = project.key("project:admin", "snapshots:read");
        var strong = Map.of("name", "x", "permissions", List.of("sandboxes:manage"));
        var keys = "/projects/" + project.id() + "/keys";

        var refused = ask(weak, "POST", keys, strong);
        assertRefused(403, "permission_missing", refused);
        assertThat(refused.jsonPath().getString("permission")).isEqualTo("sandboxes:manage");
        assertRefused(
                403,
                "permission_missing",
                given().header("X-API-Key", weak)
                        .contentType("application/json")
                        .body(NativeClient.json(strong))
                        .post(SharedServer.api() + "/api-keys"));
        assertRefused(
                400,
                "invalid_parameter",
                ask(
                        admin,
                        "POST",
                        keys,
                        Map.of("name", "x", "permissions", List.of("service:admin"))));
        for (var wrong :
                new String[] {"{\"name\":\"\"}", "{\"name\":\"x\",\"permissions\":[\"?\"]}"}) {
            assertRefused(400, "invalid_parameter", ask(admin, "POST", keys, wrong));
        }

        var made =
                expect(
                        201,
                        given().header("X-API-Key", weak)
                                .contentType("application/json")
                                .body("{\"name\":\"usual\"}")
                                .post(SharedServer.api() + "/api-keys"));
        assertThat(made.getList("permissions"))
                .containsExactlyInAnyOrder("project:admin", "snapshots:read");
        assertRefused(
                403,
                "permission_missing",
                ask(
                        weak,
                        "PATCH",
                        keys + "/" + made.getString("id"),
                        Map.of("permissions", List.of("project:admin", "sandboxes:use"))));
    }

    @Test
    void aKeyThatEndsMakesNoneThatLivesLonger() {
        var keys = "/projects/" + project.id() + "/keys";
        var end = Instant.now().plus(Duration.ofHours(1)).toString();
        var mortal = expect(201, service("POST", keys, Map.of("name", "mortal", "expiresAt", end)));
        var key = mortal.getString("key");

        var child = expect(201, ask(key, "POST", keys, Map.of("name", "child")));
        assertThat(Instant.parse(child.getString("expiresAt")))
                .isEqualTo(Instant.parse(mortal.getString("expiresAt")));
        assertRefused(
                400,
                "invalid_parameter",
                ask(
                        key,
                        "PATCH",
                        keys + "/" + mortal.getString("id"),
                        Map.of("expiresAt", Instant.now().plus(Duration.ofDays(9)).toString())));
    }

    @Test
    void aKeyIsShownOnceChangedAndRevokedAtOnce() {
        var keys = "/projects/" + project.slug() + "/keys";
        var issued = project.issued("snapshots:read");
        var id = issued.getString("id");
        var secret = issued.getString("key");
        assertThat(secret).matches("e2b_[0-9a-f]{40}");

        var shown = ask(admin, "GET", keys + "/" + id, null);
        assertThat(shown.asString()).doesNotContain(secret.substring(12));
        assertThat(ask(admin, "GET", keys, null).asString())
                .contains(id)
                .doesNotContain(secret.substring(12));
        var tag = shown.header("ETag");
        var changed =
                ask(
                        given().header("X-API-Key", admin).header("If-Match", tag),
                        "PATCH",
                        keys + "/" + id,
                        Map.of("name", "renamed", "permissions", List.of("project:admin")));
        assertThat(expect(200, changed).getString("name")).isEqualTo("renamed");
        assertRefused(
                412,
                "precondition_failed",
                ask(
                        given().header("X-API-Key", admin).header("If-Match", tag),
                        "PATCH",
                        keys + "/" + id,
                        Map.of("name", "again")));
        expect(200, ask(secret, "GET", keys, null));

        assertThat(ask(admin, "DELETE", keys + "/" + id, null).statusCode()).isEqualTo(204);
        assertRefused(401, "unauthenticated", ask(secret, "GET", keys, null));
        assertThat(ask(admin, "DELETE", keys + "/" + id, null).statusCode()).isEqualTo(204);
        assertRefused(
                409, "key_revoked", ask(admin, "PATCH", keys + "/" + id, Map.of("name", "x")));
        assertThat(ask(admin, "GET", keys, null).asString()).doesNotContain(id);
        assertThat(
                        expect(200, ask(admin, "GET", keys + "?state=revoked&limit=1", null))
                                .getString("keys[0].state"))
                .isEqualTo("revoked");
        assertRefused(
                404, "key_not_found", ask(admin, "DELETE", keys + "/" + UUID.randomUUID(), null));
    }

    @Test
    void noProjectSeesAnothersKeysAndTheLastAdministratorCanBeReplaced() {
        var other = OwnProject.make("lonely");
        var last = other.issued("project:admin");
        assertRefused(
                404,
                "project_not_found",
                ask(admin, "GET", "/projects/" + other.id() + "/keys", null));
        assertRefused(
                404,
                "key_not_found",
                ask(
                        admin,
                        "DELETE",
                        "/projects/" + project.id() + "/keys/" + last.getString("id"),
                        null));

        var own = "/projects/" + other.id() + "/keys";
        assertThat(
                        ask(last.getString("key"), "DELETE", own + "/" + last.getString("id"), null)
                                .statusCode())
                .isEqualTo(204);

        var next = other.key("project:admin");
        expect(200, ask(next, "GET", own, null));
    }

    @Test
    void keysAndProjectsAreReadPageByPage() {
        var other = OwnProject.make("pages");
        for (int i = 0; i < 3; i++) {
            other.issued("snapshots:read");
        }
        var keys = "/projects/" + other.id() + "/keys?limit=2";
        var first = expect(200, service("GET", keys, null));
        var second = expect(200, service("GET", keys + "&after=" + first.getString("next"), null));
        assertThat(first.getList("keys")).hasSize(2);
        assertThat(second.getList("keys")).hasSize(1);
        assertThat(second.getString("next")).isNull();

        var page = expect(200, service("GET", "/admin/projects?limit=1", null));
        var behind =
                expect(
                        200,
                        service(
                                "GET",
                                "/admin/projects?limit=1&after=" + page.getString("next"),
                                null));
        assertThat(behind.getString("projects[0].id"))
                .isNotEqualTo(page.getString("projects[0].id"));
        var nobodys = Token.of("2020-01-01T00:00:00Z " + UUID.randomUUID());
        assertThat(
                        expect(200, service("GET", "/admin/projects?after=" + nobodys, null))
                                .getList("projects"))
                .as("a place is there without its project")
                .isNotEmpty();
        for (var wrong : new String[] {"limit=0", "limit=x", "after=x", "after=AAAA"}) {
            assertRefused(
                    400, "invalid_parameter", service("GET", "/admin/projects?" + wrong, null));
        }
    }

    @Test
    void theServiceHasKeysOfItsOwnAndSeesNothingOfWhatIsInAProject() {
        var issued = expect(201, service("POST", "/admin/keys", Map.of("name", "second")));
        var second = issued.getString("key");
        expect(200, ask(second, "GET", "/admin/projects/" + project.slug(), null));
        for (var path : new String[] {"", "/snapshots", "/operations", "/templates"}) {
            assertRefused(
                    403,
                    "permission_missing",
                    ask(second, "GET", "/projects/" + project.id() + path, null));
        }
        assertRefused(
                403,
                "permission_missing",
                given().header("X-API-Key", second).get(SharedServer.api() + "/teams"));
        assertThat(
                        ask(second, "DELETE", "/admin/keys/" + issued.getString("id"), null)
                                .statusCode())
                .isEqualTo(204);
        assertRefused(401, "unauthenticated", ask(second, "GET", "/admin/keys", null));
    }

    @Test
    @Tag("R159")
    @Tag("R60")
    void aProjectIsLimitedRenamedClosedPurgedAndReopened() throws Exception {
        var own = OwnProject.make("life");
        var at = "/admin/projects/" + own.id();
        var key = own.everything();
        var client = OwnProject.client(key);

        assertRefused(
                409,
                "name_taken",
                service("POST", "/admin/projects", Map.of("name", "x", "slug", own.slug())));
        var before = service("GET", at, null);
        expect(200, service("PATCH", at, Map.of("serviceLimit", Map.of("liveSandboxes", 0))));
        assertRefused(
                412,
                "precondition_failed",
                ask(
                        given().header("X-API-Key", SharedServer.adminKey())
                                .header("If-Match", before.header("ETag")),
                        "PATCH",
                        at,
                        Map.of("name", "stale")));
        assertThat(
                        client.askToOpen(Map.of("templateID", "base"), UUID.randomUUID().toString())
                                .get()
                                .body())
                .contains("quota_count_exceeded");
        var free = expect(200, service("PATCH", at, "{\"serviceLimit\":null}"));
        assertThat(free.getString("serviceLimit")).isNull();
        assertThat(free.getLong("limit.bytes")).isEqualTo(free.getLong("plan.bytes"));
        assertRefused(
                400,
                "invalid_parameter",
                service("PATCH", at, Map.of("retentionSeconds", 100L * 365 * 24 * 3600)));

        var sandbox = client.create("base", Duration.ofMinutes(10));
        var snapshot = client.snapshot(sandbox, "kept:v1");
        assertThat(snapshot.names()).containsExactly(own.slug() + "/kept:v1");
        var slug = own.slug() + "-renamed";
        expect(200, service("PATCH", at, Map.of("slug", slug)));
        assertThat(client.snapshots().get(0).names()).containsExactly(slug + "/kept:v1");
        var snapshots = "/projects/" + slug + "/snapshots";
        expect(
                200,
                ask(key, "GET", snapshots + "/" + NativeClient.encoded(slug + "/kept:v1"), null));
        assertThat(
                        ask(
                                        key,
                                        "GET",
                                        snapshots
                                                + "/"
                                                + NativeClient.encoded(own.slug() + "/kept:v1"),
                                        null)
                                .statusCode())
                .isIn(400, 404);

        assertRefused(409, "project_not_closed", service("POST", at + "/purge", "{}"));
        var closed = expect(200, service("POST", at + "/close", "{}"));
        assertThat(closed.getString("closedBy")).startsWith("key:");
        assertRefused(403, "project_closed", ask(key, "GET", snapshots, null));
        assertRefused(
                403,
                "project_closed",
                given().header("X-API-Key", key).get(SharedServer.api() + "/snapshots"));
        assertRefused(
                403,
                "project_closed",
                service("POST", "/projects/" + own.id() + "/keys", Map.of("name", "late")));
        var database = new NativeClient();
        assertThat(
                        database.value(
                                "select state || ' ' || end_reason || ' ' || ended_by from sandbox"
                                        + " where id = '"
                                        + sandbox.id()
                                        + "'"))
                .startsWith("ENDED PROJECT_CLOSED key:");
        assertThat(database.value("select state from snapshot where id = '" + snapshot.id() + "'"))
                .isEqualTo("SAVED");

        expect(200, service("POST", at + "/reopen", "{}"));
        assertThat(client.snapshots()).hasSize(1);
        assertThat(client.info(sandbox.id())).isEmpty();
        expect(200, service("POST", at + "/close", "{}"));
        assertThat(expect(200, service("POST", at + "/purge", "{}")).getInt("snapshots"))
                .isEqualTo(1);
        assertThat(expect(200, service("POST", at + "/purge", "{}")).getInt("snapshots")).isZero();
    }

    @Test
    void noChangeIsReadIntoWhatIsMistyped() {
        for (var body : Arrays.asList("{\"nane\":\"x\"}", "[]", "{\"plan\":null}", "7")) {
            assertRefused(
                    400,
                    "invalid_parameter",
                    service("PATCH", "/admin/projects/" + project.id(), body));
        }
    }
}
