package dev.holdfast.openid;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signing in by OpenID Connect over HTTP, at a real provider. */
class OpenIdIT {

    private static final String SESSION = "/console/sign-in";
    private static final String TEAM = "openid-team";
    private static final String OTHER = "openid-other";

    private static final Map<String, Map<String, ?>> PEOPLE =
            Map.of(
                    "ann-1",
                    Map.of(
                            "name",
                            "Ann Example",
                            "roles",
                            List.of("holdfast:" + TEAM + ":snapshots:read", "staff")),
                    "bob-1",
                    Map.of("preferred_username", "bob", "roles", List.of("engineers")),
                    "both-1",
                    Map.of(
                            "name",
                            "Both Ways",
                            "roles",
                            List.of(
                                    "holdfast:" + TEAM + ":snapshots:read",
                                    "holdfast:" + OTHER + ":snapshots:read",
                                    "holdfast:" + OTHER + ":project:admin")),
                    "ops-1",
                    Map.of("name", "Ops", "roles", "holdfast:service:admin"),
                    "eve-1",
                    Map.of(
                            "name",
                            "Eve <b>",
                            "roles",
                            List.of("staff", "holdfast:no-such-team:snapshots:read")));

    private static Provider provider;
    private static String before;
    private static String described;
    private static String team;
    private static String other;

    /** Somebody who is in. */
    private record Person(String cookie, JsonPath who) {

        RequestSpecification reads() {
            return given().urlEncodingEnabled(false).header("Cookie", "holdfast-session=" + cookie);
        }

        RequestSpecification changes() {
            return reads().header("Origin", SharedServer.api().toString())
                    .header("Sec-Fetch-Site", "same-origin")
                    .header("X-Holdfast-Csrf", who.getString("csrf"));
        }
    }

    @BeforeAll
    static void opensTheDoor() throws Exception {
        before =
                given().get(at("/console/openid")).asString() + given().get(at(SESSION)).asString();
        described = given().get(at("/openapi")).asString();
        team = project(TEAM);
        other = project(OTHER);
        provider = new Provider();
        provider.people(PEOPLE);
        Provider.open();
    }

    @AfterAll
    static void shutsIt() throws Exception {
        try {
            Provider.shut();
            assertThat(given().get(at("/console/openid")).asString()).contains("<hf-app>");
            assertThat(given().get(at(SESSION)).jsonPath().getString("openId.name")).isNull();
        } finally {
            provider.close();
        }
    }

    private static String at(String path) {
        return SharedServer.api() + path;
    }

    private static String of(String project, String path) {
        return at("/api/v1/projects/" + project + path);
    }

    private static String project(String slug) {
        var found =
                service("GET", "/admin/projects?limit=100", null).getList("projects").stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> slug.equals(each.get("slug")))
                        .findFirst();
        return found.isPresent()
                ? (String) found.get().get("id")
                : service("POST", "/admin/projects", Map.of("name", slug, "slug", slug))
                        .getString("id");
    }

    private static JsonPath service(String verb, String path, Object body) {
        var asks =
                given().header("X-API-Key", SharedServer.adminKey())
                        .contentType("application/json");
        var answer =
                (body == null ? asks : asks.body(JsonOutput.toJson(body)))
                        .request(verb, at("/api/v1" + path));
        assertThat(answer.statusCode()).as(answer.asString()).isBetween(200, 299);
        return answer.jsonPath();
    }

    private static Person person(String login) throws Exception {
        var visitor = new Visitor();
        var arrived = visitor.signIn(login);
        assertThat(arrived.statusCode()).as(arrived.body()).isEqualTo(200);
        assertThat(arrived.uri()).isEqualTo(SharedServer.api().resolve("/console/"));
        var cookie = visitor.session();
        var who =
                given().header("Cookie", "holdfast-session=" + cookie).get(at(SESSION)).jsonPath();
        assertThat(who.getBoolean("signedIn")).isTrue();
        return new Person(cookie, who);
    }

    private static void refused(int status, String reason, Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        assertThat(answer.jsonPath().getString("reason")).isEqualTo(reason);
    }

    private static void refused(int status, String words, HttpResponse<String> page) {
        assertThat(page.statusCode()).as(page.body()).isEqualTo(status);
        assertThat(page.body()).contains(words);
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'"));
        assertThat(page.headers().allValues("Set-Cookie"))
                .noneMatch(each -> each.startsWith("holdfast-session="));
    }

    private static String value(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    // ---- The door

    @Test
    void isThereWhenItIsDeployedAndNotBefore() {
        assertThat(before).contains("<hf-app>").doesNotContain("openId");
        var offered = given().get(at(SESSION)).jsonPath();
        assertThat(offered.getBoolean("signedIn")).isFalse();
        assertThat(offered.getString("openId.name")).isEqualTo("Example accounts");
        assertThat(offered.getString("openId.address")).isEqualTo("/console/openid?scope=profile");
    }

    @Test
    void leavesTheRestOfTheServerAsItWas() {
        assertThat(given().get(at("/openapi")).asString()).isEqualTo(described);
        var ready = given().get(SharedServer.get().management() + "/health/ready");
        assertThat(ready.statusCode()).as(ready.asString()).isEqualTo(200);
        assertThat(given().get(at("/console/app.js")).contentType()).startsWith("text/javascript");
    }

    @Test
    void sendsTheBrowserToTheProviderWithStateNonceAndPkce() {
        var answer =
                given().redirects().follow(false).get(Visitor.door("?scope=profile").toString());
        assertThat(answer.statusCode()).isEqualTo(302);
        var address = URI.create(answer.header("Location"));
        assertThat(address.resolve("/")).isEqualTo(provider.address().resolve("/"));
        assertThat(address.getRawQuery())
                .contains("state=", "nonce=", "code_challenge_method=S256", "scope=openid+profile");
        assertThat(answer.headers().getValues("Set-Cookie"))
                .isNotEmpty()
                .allMatch(each -> each.contains("HttpOnly") && each.contains("/console/openid"));
    }

    @Test
    void leavesTheHostsOfSandboxesToThem() {
        var byHost =
                given().header("Host", "3000-i0000000000000000000a.holdfast.localhost")
                        .redirects()
                        .follow(false)
                        .get(at("/console/openid"));
        assertThat(byHost.statusCode()).isEqualTo(502);
        var byHeader =
                given().header("E2b-Sandbox-Id", "i0000000000000000000a")
                        .header("E2b-Sandbox-Port", "3000")
                        .redirects()
                        .follow(false)
                        .get(at("/console/openid"));
        assertThat(byHeader.statusCode()).isEqualTo(502);
    }

    @Test
    void leadsNowhereButIntoTheConsole() throws Exception {
        for (String query :
                List.of(
                        "?scope=profile&to=https://evil.example/",
                        "?scope=profile&redirect_uri=https://evil.example/",
                        "?scope=profile&next=//evil.example/&post_logout_redirect_uri=//evil.example/")) {
            var address =
                    given().redirects()
                            .follow(false)
                            .get(Visitor.door(query).toString())
                            .header("Location");
            assertThat(URI.create(address).getHost()).as(query).isEqualTo("127.0.0.1");
            assertThat(address).as(query).doesNotContain("evil");
        }
        var person = new Visitor();
        var arrived =
                person.follow(URI.create(person.answered("ann-1") + "&to=https://evil.example/"));
        assertThat(arrived.uri()).isEqualTo(SharedServer.api().resolve("/console/"));
    }

    // ---- What roles give

    @Test
    @Tag("R7")
    @Tag("R8")
    void aPersonMayWhatTheirRolesGiveAndNothingMore() throws Exception {
        var ann = person("ann-1");
        assertThat(ann.who().getString("principal")).isEqualTo("person:ann-1");
        assertThat(ann.who().getString("name")).isEqualTo("Ann Example");
        assertThat(ann.who().getString("project.id")).isEqualTo(team);
        assertThat(ann.who().getList("projects.id")).isEqualTo(List.of(team));
        assertThat(ann.who().getList("projects[0].permissions"))
                .isEqualTo(List.of("snapshots:read"));

        assertThat(ann.reads().get(of(team, "/snapshots")).statusCode()).isEqualTo(200);
        assertThat(ann.reads().get(of(TEAM, "/snapshots")).statusCode()).isEqualTo(200);
        String snapshot = "/snapshots/" + UUID.randomUUID();
        refused(403, "permission_missing", ann.changes().delete(of(team, snapshot)));
        refused(403, "permission_missing", ann.reads().get(of(team, "/keys")));
        refused(403, "permission_missing", ann.reads().get(at("/api/v1/admin/projects")));
        refused(404, "project_not_found", ann.reads().get(of(other, "/snapshots")));
        refused(404, "project_not_found", ann.reads().get(of("no-such", "/snapshots")));
        // As with a key: no change without the token, and no cookie for what the SDKs call.
        refused(403, "cross_site_request", ann.reads().delete(of(team, snapshot)));
        assertThat(ann.reads().get(at("/sandboxes")).statusCode()).isEqualTo(401);

        // By the operator's own mapping; rows that the others have made get their names.
        var bob = person("bob-1");
        assertThat(bob.who().getMap("people").get("person:ann-1")).isEqualTo("Ann Example");
        assertThat(bob.who().getString("name")).isEqualTo("bob");
        refused(404, "snapshot_not_found", bob.changes().delete(of(team, snapshot)));
    }

    @Test
    void aPersonWithSeveralProjectsAsksInTheOneThatThePathNames() throws Exception {
        var both = person("both-1");
        assertThat(both.who().getString("project")).isNull();
        assertThat(both.who().getList("projects.slug")).isEqualTo(List.of(TEAM, OTHER));
        assertThat(both.who().getMap("people")).containsKey("person:both-1");
        refused(403, "permission_missing", both.reads().get(of(team, "/keys")));
        var keys = both.reads().get(of(other, "/keys"));
        assertThat(keys.statusCode()).as(keys.asString()).isEqualTo(200);
        assertThat(both.reads().get(of(TEAM, "/snapshots")).statusCode()).isEqualTo(200);

        // A key they make is theirs to give, stands there as made by them, and outlives their
        // sign-in.
        var made =
                both.changes()
                        .contentType("application/json")
                        .body(
                                JsonOutput.toJson(
                                        Map.of(
                                                "name",
                                                "nightly",
                                                "permissions",
                                                List.of("snapshots:read"))))
                        .post(of(other, "/keys"));
        assertThat(made.statusCode()).as(made.asString()).isEqualTo(201);
        assertThat(made.jsonPath().getString("createdBy")).isEqualTo("person:both-1");
        assertThat(made.jsonPath().getString("expiresAt")).isNull();
    }

    @Test
    void whoAdministersTheServiceMayAsAKeyOfItMay() throws Exception {
        var ops = person("ops-1");
        assertThat(ops.who().getList("permissions")).isEqualTo(List.of("service:admin"));
        assertThat(ops.reads().get(at("/api/v1/admin/projects")).statusCode()).isEqualTo(200);
        assertThat(ops.reads().get(of(team, "/keys")).statusCode()).isEqualTo(200);
        refused(403, "permission_missing", ops.reads().get(of(team, "/snapshots")));
    }

    @Test
    void aClosedProjectIsClosedToPersonsToo() throws Exception {
        String slug = "openid-" + UUID.randomUUID().toString().substring(0, 8);
        String closing = project(slug);
        provider.people(
                Map.of(
                        "cleo-1",
                        Map.of(
                                "name",
                                "Cleo",
                                "roles",
                                List.of(
                                        "holdfast:" + slug + ":snapshots:read",
                                        "holdfast:" + TEAM + ":snapshots:read"))));
        try {
            var cleo = person("cleo-1");
            assertThat(cleo.reads().get(of(closing, "/snapshots")).statusCode()).isEqualTo(200);
            service("POST", "/admin/projects/" + closing + "/close", Map.of());
            refused(403, "project_closed", cleo.reads().get(of(closing, "/snapshots")));
            assertThat(cleo.reads().get(of(team, "/snapshots")).statusCode()).isEqualTo(200);
            assertThat(cleo.reads().get(at(SESSION)).jsonPath().getList("projects.id"))
                    .isEqualTo(List.of(team));
        } finally {
            provider.people(PEOPLE);
        }
    }

    // ---- Who does not come in

    @Test
    void whoHasNoRoleIsToldWhichClaimWasReadAndWhatItShouldHold() throws Exception {
        var page = new Visitor().signIn("eve-1");
        refused(403, "You have no access", page);
        assertThat(page.body())
                .contains(
                        "Example accounts says that you are Eve &lt;b&gt;",
                        "The claim &quot;roles&quot; of your ID token holds: staff,"
                                + " holdfast:no-such-team:snapshots:read.",
                        "No open project is called no-such-team.",
                        "holdfast:PROJECT:PERMISSION");
        assertThat(
                        value(
                                "select outcome || ' ' || reason || ' ' || (details ->> 'by') from"
                                        + " audit_entry where principal = 'person:eve-1' order by id"
                                        + " desc limit 1"))
                .isEqualTo("REFUSED permission_missing Eve <b>");
    }

    @Test
    void whomTheProviderRefusesIsToldSo() throws Exception {
        refused(400, "did not sign you in", new Visitor().signIn("nobody"));
    }

    @Test
    void anAnswerThatIsForgedStolenUsedOrOldIsRefused() throws Exception {
        refused(
                400,
                "does not belong to a sign-in",
                new Visitor().get(Visitor.door("?code=made-up&state=made-up")));

        var victim = new Visitor();
        victim.get(Visitor.door("?scope=profile"));
        // A state that is another's: somebody is to be signed in as the attacker.
        var attacker = new Visitor();
        var theirs = attacker.answered("ann-1");
        refused(400, "does not belong to a sign-in", victim.get(theirs));
        assertThat(victim.session()).isEmpty();

        // A code that is made up, with the right state.
        var forger = new Visitor();
        var answer = forger.answered("ann-1").toString();
        refused(
                403,
                "did not stand up",
                forger.get(URI.create(answer.replaceFirst("code=[^&]*", "code=made-up"))));

        var twice = new Visitor();
        var used = twice.answered("ann-1");
        twice.follow(used);
        assertThat(twice.session()).isNotEmpty();
        assertThat(twice.get(used).statusCode()).isIn(400, 403);
        // Also not by somebody who has seen it.
        assertThat(new Visitor().get(used).statusCode()).isEqualTo(400);

        var late = new Visitor();
        var old = late.answered("ann-1");
        Thread.sleep(Duration.ofSeconds(6).toMillis());
        refused(403, "did not stand up", late.get(old));
    }

    @Test
    void anAccessTokenIsNoWayIn() {
        for (String token : List.of("x", "e30.e30.x")) {
            var answer =
                    given().header("Authorization", "Bearer " + token)
                            .redirects()
                            .follow(false)
                            .get(at("/console/openid"));
            assertThat(answer.statusCode()).isIn(401, 403);
            assertThat(answer.header("Set-Cookie")).isNull();
        }
    }

    // ---- How it ends

    @Test
    void endsSoonByItselfAndIsToldInTheAuditOfEachProject() throws Exception {
        var both = person("both-1");
        var end = Instant.parse(both.who().getString("endsAt"));
        // The provider's token lasts half an hour, which is less than the hour of the setting.
        assertThat(Duration.between(Instant.now(), end))
                .isBetween(Duration.ofMinutes(28), Duration.ofMinutes(30));

        var out = both.changes().delete(at(SESSION));
        assertThat(out.statusCode()).as(out.asString()).isEqualTo(200);
        assertThat(out.jsonPath().getString("next"))
                .startsWith(provider.address() + "/session/end?id_token_hint=")
                .contains("post_logout_redirect_uri=");
        assertThat(both.reads().get(at(SESSION)).jsonPath().getBoolean("signedIn")).isFalse();
        refused(401, "unauthenticated", both.reads().get(of(team, "/snapshots")));
        for (String project : List.of(team, other)) {
            assertThat(
                            value(
                                    "select string_agg(action, ' ' order by id) from (select"
                                            + " action, id from audit_entry where principal ="
                                            + " 'person:both-1' and details ->> 'by' = 'Both Ways' and"
                                            + " address is not null and subject_type = 'person' and"
                                            + " project_id = '"
                                            + project
                                            + "' order by id desc limit 2) e"))
                    .isEqualTo("console.sign_in console.sign_out");
        }

        var idle = person("ann-1");
        update("update sign_in set ends_at = clock_timestamp() where subject = 'ann-1'");
        refused(401, "unauthenticated", idle.reads().get(of(team, "/snapshots")));
    }

    private static void update(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var changing = connection.createStatement()) {
            changing.executeUpdate(statement);
        }
    }

    @Test
    void aKeySignsInAsBefore() {
        var answer =
                given().contentType("application/json")
                        .header("Origin", SharedServer.api().toString())
                        .body(JsonOutput.toJson(Map.of("key", SharedServer.apiKey())))
                        .post(at(SESSION));
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        assertThat(answer.jsonPath().getString("principal")).startsWith("key:");
        assertThat(answer.jsonPath().getString("projects")).isNull();
    }
}
