package dev.holdfast.console;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console over HTTP: what is served, who is signed in, and who is not taken. */
class ConsoleIT {

    private static final String SIGN_IN = "/console/sign-in";
    private static final Pattern COOKIE =
            Pattern.compile(
                    "holdfast-session=([A-Za-z0-9_-]{43}); Path=/; HttpOnly; SameSite=Strict");

    private static String project;
    private static String origin;

    /** Somebody who is signed in. */
    private record Person(String cookie, String csrf) {

        RequestSpecification reads() {
            return given().urlEncodingEnabled(false).header("Cookie", "holdfast-session=" + cookie);
        }

        RequestSpecification changes() {
            return reads().header("Origin", origin)
                    .header("Sec-Fetch-Site", "same-origin")
                    .header("X-Holdfast-Csrf", csrf);
        }
    }

    @BeforeAll
    static void findsTheProject() {
        origin = SharedServer.api().toString();
        project =
                given().header("X-API-Key", SharedServer.apiKey())
                        .get(at("/teams"))
                        .jsonPath()
                        .getString("[0].teamID");
    }

    private static String at(String path) {
        return SharedServer.api() + path;
    }

    private static String own(String path) {
        return at("/api/v1/projects/" + project + path);
    }

    private static Response signIn(String key, String address) {
        return given().contentType("application/json")
                .header("Origin", origin)
                .header("X-Forwarded-For", address)
                .body(JsonOutput.toJson(Map.of("key", key)))
                .post(at(SIGN_IN));
    }

    private static Person person(String key) {
        Response answer = signIn(key, "192.0.2.1");
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        var cookie = COOKIE.matcher(answer.header("Set-Cookie"));
        assertThat(cookie.matches()).as(answer.header("Set-Cookie")).isTrue();
        return new Person(cookie.group(1), answer.jsonPath().getString("csrf"));
    }

    private static Map<String, String> issued(String... permissions) {
        var issued =
                given().header("X-API-Key", SharedServer.adminKey())
                        .contentType("application/json")
                        .body(
                                JsonOutput.toJson(
                                        Map.of(
                                                "name",
                                                "console test",
                                                "permissions",
                                                List.of(permissions))))
                        .post(own("/keys"));
        assertThat(issued.statusCode()).as(issued.asString()).isEqualTo(201);
        return Map.of(
                "id", issued.jsonPath().getString("id"), "key", issued.jsonPath().getString("key"));
    }

    private static String value(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    private static void refused(int status, String reason, Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        assertThat(answer.jsonPath().getString("reason")).isEqualTo(reason);
    }

    // ---- What is served

    @Test
    @Tag("R13")
    void answersEveryAddressOfItWithThePageAndNothingElseWithIt() {
        var page = given().get(at("/console/snapshots/any/thing?search=x"));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.contentType()).isEqualTo("text/html;charset=utf-8");
        assertThat(page.asString()).isEqualTo(given().get(at("/console/")).asString());
        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");

        var bare = given().redirects().follow(false).get(at("/console"));
        assertThat(bare.statusCode()).isEqualTo(302);
        assertThat(bare.header("Location")).endsWith("/console/");

        for (var path :
                List.of(
                        "/console/absent.js",
                        "/console/lib/lit/0.0.0/index.js",
                        "/console/lib/lit",
                        "/console/%2e%2e/WEB-INF/web.xml",
                        "/WEB-INF/web.xml",
                        "/consoles/")) {
            var answer = given().urlEncodingEnabled(false).get(at(path));
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.asString()).as(path).doesNotContain("web-app");
        }
        assertThat(given().post(at("/console/")).statusCode()).isEqualTo(404);
    }

    @Test
    @Tag("F1")
    void allowsThePageNothingFromElsewhereAndOneInlineScript() {
        var page = given().get(at("/console/"));
        var policy = page.header("Content-Security-Policy");
        assertThat(policy)
                .startsWith("default-src 'none'; script-src 'self' 'sha256-")
                .contains("style-src 'self';", "base-uri 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(policy).isEqualTo(ContentPolicy.of(page.asByteArray()).text());
        assertThat(page.asString().split("<script", -1)).hasSize(3);
        assertThat(page.asString()).doesNotContain("style=", "<style", "onload", "onclick");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
        assertThat(page.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(page.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void sendsFilesPackedAndOnlyOnce() {
        var script = given().header("Accept-Encoding", "gzip").get(at("/console/app.js"));
        assertThat(script.statusCode()).isEqualTo(200);
        assertThat(script.contentType()).startsWith("text/javascript");
        assertThat(script.header("Content-Encoding")).isEqualTo("gzip");
        var again =
                given().header("Accept-Encoding", "gzip")
                        .header("If-None-Match", script.header("ETag"))
                        .get(at("/console/app.js"));
        assertThat(again.statusCode()).isEqualTo(304);

        var libraries =
                Pattern.compile("\"(/console/lib/[^\"]+[.]js)\"")
                        .matcher(given().get(at("/console/")).asString())
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        assertThat(libraries)
                .hasSizeGreaterThan(2)
                .allSatisfy(
                        path -> {
                            var library = given().get(at(path));
                            assertThat(library.statusCode()).as(path).isEqualTo(200);
                            assertThat(library.header("Cache-Control")).contains("immutable");
                        });
    }

    @Test
    @Tag("F2")
    void isNotThereForWhomeverASandboxIsMeant() {
        var byHeader =
                given().header("E2b-Sandbox-Id", "i0000000000000000000a")
                        .header("E2b-Sandbox-Port", "3000")
                        .get(at("/console/"));
        assertThat(byHeader.statusCode()).isEqualTo(502);
        var byHost =
                given().header("Host", "3000-i0000000000000000000a.holdfast.localhost")
                        .get(at("/console/"));
        assertThat(byHost.statusCode()).isEqualTo(502);
    }

    @Test
    void countsWhatBrowsersReportAndTakesLittleOfIt() {
        var before = reports();
        var report =
                given().contentType("application/json")
                        .body("{\"csp-report\":{\"blocked-uri\":\"inline\"}}\n".repeat(2000))
                        .post(at(ContentPolicy.REPORTS));
        assertThat(report.statusCode()).isEqualTo(204);
        assertThat(reports()).isEqualTo(before + 1);
    }

    static double reports() {
        return given().get(SharedServer.get().management() + "/prometheus")
                .asString()
                .lines()
                .filter(line -> line.startsWith("holdfast_console_reports_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    // ---- Who is signed in

    @Test
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    void aSessionMayWhatItsKeyMayAndSaysWhoItIs() throws Exception {
        var reader = issued("snapshots:read");
        var person = person(reader.get("key"));

        var who = person.reads().get(at(SIGN_IN)).jsonPath();
        assertThat(who.getBoolean("signedIn")).isTrue();
        assertThat(who.getString("principal")).isEqualTo("key:" + reader.get("id"));
        assertThat(who.getString("project.id")).isEqualTo(project);
        assertThat(who.getList("permissions")).isEqualTo(List.of("snapshots:read"));
        assertThat(who.getLong("limits.bytes")).isPositive();
        assertThat(who.getString("csrf")).isEqualTo(person.csrf());

        assertThat(person.reads().get(own("/snapshots")).statusCode()).isEqualTo(200);
        refused(
                403,
                "permission_missing",
                person.changes().delete(own("/snapshots/" + UUID.randomUUID())));
        refused(403, "permission_missing", person.reads().get(own("/keys")));

        // Only its digest is kept.
        var digest = new SignInSecret(person.cookie()).sha256();
        assertThat(
                        value(
                                "select count(*) from sign_in where sha256 = decode('"
                                        + Base64.getEncoder().encodeToString(digest)
                                        + "', 'base64')"))
                .isEqualTo("1");

        assertThat(person.changes().delete(at(SIGN_IN)).statusCode()).isEqualTo(204);
        assertThat(person.reads().get(at(SIGN_IN)).jsonPath().getBoolean("signedIn")).isFalse();
        refused(401, "unauthenticated", person.reads().get(own("/snapshots")));
        assertThat(
                        value(
                                "select string_agg(action, ' ' order by id) from audit_entry where"
                                        + " principal = 'key:"
                                        + reader.get("id")
                                        + "' and outcome = 'DONE'"))
                .isEqualTo("console.sign_in console.sign_out");
    }

    @Test
    @Tag("F3")
    void endsWithItsKeyAndWithItsTime() throws Exception {
        var key = issued("snapshots:read");
        var person = person(key.get("key"));
        assertThat(
                        given().header("X-API-Key", SharedServer.adminKey())
                                .delete(own("/keys/" + key.get("id")))
                                .statusCode())
                .isIn(200, 204);
        refused(401, "unauthenticated", person.reads().get(own("/snapshots")));

        var other = issued("snapshots:read");
        var idle = person(other.get("key"));
        age(other, "seen_at = seen_at - interval '3 hours'");
        refused(401, "unauthenticated", idle.reads().get(own("/snapshots")));
        var old = person(other.get("key"));
        age(other, "ends_at = clock_timestamp(), begun_at = clock_timestamp() - interval '1 day'");
        refused(401, "unauthenticated", old.reads().get(own("/snapshots")));
        // Whoever signs in next takes away what is over.
        person(other.get("key"));
        assertThat(
                        value(
                                "select count(*) from sign_in where ends_at < now() - interval '1"
                                        + " second'"))
                .isEqualTo("0");
    }

    private static void age(Map<String, String> key, String set) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "update sign_in set " + set + " where api_key_id = '" + key.get("id") + "'");
        }
    }

    @Test
    @Tag("F4")
    void countsForTheNativeApiAndForNothingThatTheSdksCall() {
        var person = person(SharedServer.apiKey());
        assertThat(person.reads().get(own("/snapshots")).statusCode()).isEqualTo(200);
        for (var path : List.of("/sandboxes", "/v2/sandboxes", "/teams", "/snapshots")) {
            assertThat(person.reads().get(at(path)).statusCode()).as(path).isEqualTo(401);
            assertThat(person.reads().get(at("/api/v1/%2e%2e/%2e%2e" + path)).statusCode())
                    .as(path)
                    .isIn(400, 401, 404);
            assertThat(person.reads().get(at("/api/v1/../.." + path)).statusCode())
                    .as(path)
                    .isIn(400, 401, 404);
        }
        // A key that is shown goes before it.
        assertThat(
                        person.reads()
                                .header("X-API-Key", "e2b_" + "0".repeat(40))
                                .get(own("/snapshots"))
                                .statusCode())
                .isEqualTo(401);
    }

    @Test
    @Tag("F5")
    void takesNoChangeThatAnotherSiteAsksFor() {
        var person = person(SharedServer.apiKey());
        String path = own("/snapshots/" + UUID.randomUUID());
        assertThat(person.changes().delete(path).statusCode()).isEqualTo(404);

        // Without the token, with another's, and without a word of the browser.
        var another = person(SharedServer.apiKey());
        refused(403, "cross_site_request", person.reads().header("Origin", origin).delete(path));
        refused(
                403,
                "cross_site_request",
                person.reads()
                        .header("Origin", origin)
                        .header("X-Holdfast-Csrf", another.csrf())
                        .delete(path));
        refused(
                403,
                "cross_site_request",
                person.reads().header("X-Holdfast-Csrf", person.csrf()).delete(path));
        for (var hostile :
                List.of(
                        "http://3000-i0000000000000000000a.holdfast.localhost:8080",
                        "null",
                        "http://127.0.0.1:1",
                        "not an origin")) {
            refused(
                    403,
                    "cross_site_request",
                    person.reads()
                            .header("Origin", hostile)
                            .header("X-Holdfast-Csrf", person.csrf())
                            .delete(path));
        }
        // Not even reading, where the browser says that a neighbouring host asks.
        for (var site : List.of("same-site", "cross-site")) {
            refused(
                    403,
                    "cross_site_request",
                    person.reads().header("Sec-Fetch-Site", site).get(own("/snapshots")));
        }
        // Nor does another page sign somebody in.
        refused(
                403,
                "cross_site_request",
                given().contentType("application/json")
                        .header("Origin", "http://evil.example")
                        .body(JsonOutput.toJson(Map.of("key", SharedServer.apiKey())))
                        .post(at(SIGN_IN)));
        // Of two cookies with the name one is somebody else's.
        assertThat(
                        given().header(
                                        "Cookie",
                                        "holdfast-session="
                                                + another.cookie()
                                                + "; holdfast-session="
                                                + person.cookie())
                                .get(own("/snapshots"))
                                .statusCode())
                .isEqualTo(401);
    }

    @Test
    void isSecureWhereThePageCameByTls() {
        var answer =
                given().contentType("application/json")
                        .header("Origin", origin.replace("http:", "https:"))
                        .body(JsonOutput.toJson(Map.of("key", SharedServer.apiKey())))
                        .post(at(SIGN_IN));
        assertThat(answer.header("Set-Cookie"))
                .startsWith("__Host-holdfast-session=")
                .endsWith("; Path=/; HttpOnly; SameSite=Strict; Secure");
    }

    @Test
    void isSecureWhereATrustedProxySaysThatItEndedTls() {
        var answer =
                given().contentType("application/json")
                        .header("X-Forwarded-Proto", "https")
                        .body(JsonOutput.toJson(Map.of("key", SharedServer.apiKey())))
                        .post(at(SIGN_IN));
        assertThat(answer.header("Set-Cookie")).startsWith("__Host-holdfast-session=");

        var plain = person(SharedServer.apiKey());
        assertThat(plain.reads().get(own("/snapshots")).statusCode()).isEqualTo(200);
        assertThat(
                        plain.reads()
                                .header("X-Forwarded-Proto", "https")
                                .get(own("/snapshots"))
                                .statusCode())
                .as("a plain cookie, which a neighbouring host can set")
                .isEqualTo(401);
    }

    @Test
    @Tag("F6")
    void guessingIsBoundedForAnAddressAndToldInTheAudit() throws Exception {
        var strange = "e2b_" + "1".repeat(40);
        var address = "2001:db8:1:2::" + Integer.toHexString(1 + (int) (Math.random() * 60000));
        refused(401, "unauthenticated", signIn(strange, address));
        refused(401, "unauthenticated", signIn("nothing", address));
        assertThat(
                        value(
                                "select count(*) from audit_entry where action = 'console.sign_in'"
                                        + " and outcome = 'REFUSED' and address = '"
                                        + address
                                        + "'"))
                .isNotEqualTo("0");
        Response last = null;
        for (int i = 0; i < 12; i++) {
            last = signIn(strange, address);
        }
        refused(429, "rate_limited", last);
        assertThat(Integer.parseInt(last.header("Retry-After"))).isBetween(1, 61);
        assertThat(last.asString()).doesNotContain(strange);
        // The same network is the same somebody; another address is not held up.
        refused(429, "rate_limited", signIn(SharedServer.apiKey(), "2001:db8:1:2:3::4"));
        assertThat(signIn(SharedServer.apiKey(), "192.0.2.77").statusCode()).isEqualTo(200);
    }
}
