package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.OwnProject.ask;
import static dev.holdfast.api.OwnProject.service;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who changed what, when, from where, and what came of it. */
class AuditIT {
    /** More than fits between a server that writes and a client that does not read. */
    private static final int MANY = 6_000;

    private static OwnProject project;
    private static String admin;
    private static String path;
    private static NativeClient database;

    @BeforeAll
    static void makesAProject() {
        project = OwnProject.make("audit");
        admin = project.everything();
        path = "/projects/" + project.id() + "/audit";
        database = new NativeClient();
    }

    private static List<Map<String, Object>> entries(String query) {
        return expect(200, ask(admin, "GET", path + "?" + query, null)).getList("entries");
    }

    private static JsonPath only(String query) {
        var answer = expect(200, ask(admin, "GET", path + "?" + query, null));
        assertThat(answer.getList("entries")).as(query).hasSize(1);
        return answer;
    }

    private static void fill(String moment, int rows, String action) throws Exception {
        database.sql(
                "insert into audit_entry (id, at, project_id, principal, action, subject_type,"
                        + " subject_id, outcome, user_agent) select nextval('audit_entry_seq'),"
                        + moment
                        + ", '"
                        + project.id()
                        + "', 'system', '"
                        + action
                        + "', 'snapshot', 'x' || i, 'DONE', '=1+1' from generate_series(1, "
                        + rows
                        + ") i");
    }

    @Test
    void everyChangeOfASandboxAndItsSnapshotsLeavesOneEntry() throws Exception {
        var client = OwnProject.client(admin);
        var sandbox = client.create("base", Duration.ofMinutes(10));
        var kept = client.snapshot(sandbox, "kept");
        client.pause(sandbox);
        client.resume(sandbox, Duration.ofMinutes(10));
        var at = "/projects/" + project.id() + "/snapshots/" + kept.id();
        expect(200, ask(admin, "PATCH", at, Map.of("retentionSeconds", 3600)));
        var second =
                client.connect(
                        client.open(Map.of("templateID", kept.id())).id(), Duration.ofMinutes(5));
        assertRefused(409, "snapshot_occupied", ask(admin, "DELETE", at, null));
        client.kill(second.id());
        client.kill(sandbox.id());
        database.sql("update snapshot set expires_at = now() where id = '" + kept.id() + "'");

        var who = only("action=sandbox.create").getString("entries[0].principal");
        assertThat(who).matches("key:[0-9a-f-]{36}");
        assertThat(
                        only("subject=" + sandbox.id() + "&action=sandbox.end")
                                .getString("entries[0].details.reason"))
                .isEqualTo("killed");
        for (var action : new String[] {"sandbox.pause", "sandbox.resume"}) {
            assertThat(only("action=" + action).getString("entries[0].subject.id"))
                    .isEqualTo(sandbox.id());
        }
        for (var action : new String[] {"snapshot.capture", "snapshot.save", "snapshot.change"}) {
            var entry = only("action=" + action);
            assertThat(entry.getString("entries[0].subject.id")).isEqualTo(kept.id());
            assertThat(entry.getString("entries[0].principal")).isEqualTo(who);
            assertThat(entry.getString("entries[0].outcome")).isEqualTo("done");
        }
        assertThat(only("action=sandbox.restore").getString("entries[0].details.snapshot"))
                .isEqualTo(kept.id());
        var refused = only("outcome=refused&subject=" + kept.id());
        assertThat(refused.getString("entries[0].action")).isEqualTo("snapshot.delete");
        assertThat(refused.getString("entries[0].reason")).isEqualTo("snapshot_occupied");
        await("it has expired", () -> !entries("action=snapshot.expire").isEmpty());
        assertThat(only("action=snapshot.expire").getString("entries[0].principal"))
                .isEqualTo("system");
        assertThat(entries("principal=" + who + "&limit=100"))
                .extracting(each -> each.get("action"))
                .contains("sandbox.create", "sandbox.end")
                .doesNotContain("snapshot.expire");
    }

    /** A table of this connection alone hides the real one and has the same indexes. */
    @Test
    @Tag("F4")
    void whatOnePrincipalDidIsReadFromAnIndex() throws Exception {
        try (var own = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = own.createStatement()) {
            statement.execute("create temp table audit_entry (like audit_entry including all)");
            statement.execute(
                    "insert into audit_entry (id, at, project_id, service, principal, action,"
                            + " subject_type, subject_id, outcome) select i, now(), '"
                            + project.id()
                            + "', true, case when i % 5000 = 0 then 'key:rare' else 'system' end,"
                            + " 'snapshot.expire', 'snapshot', 'x', 'DONE'"
                            + " from generate_series(1, 20000) i");
            statement.execute("analyze audit_entry");
            for (var whose : List.of("project_id = '" + project.id() + "'", "service")) {
                try (var plan =
                        statement.executeQuery(
                                "explain select * from audit_entry where "
                                        + whose
                                        + " and principal = 'key:rare' and at <= now() and (at <"
                                        + " now() or id < 7) order by at desc, id desc limit 100")) {
                    var lines = new StringBuilder();
                    while (plan.next()) {
                        lines.append(plan.getString(1)).append('\n');
                    }
                    assertThat(lines.toString())
                            .containsPattern("Index Cond: .*principal = 'key:rare'")
                            .containsPattern("Index Cond: .*at <= now")
                            .doesNotContain("Sort");
                }
            }
        }
    }

    @Test
    void aChangeOfAKeyTellsFromWhereItCameAndNoSecret() {
        var answer =
                ask(
                        given().header("Authorization", "Bearer " + admin)
                                .header("X-Forwarded-For", "6.6.6.6, 203.0.113.9")
                                .header("X-Request-Id", "told-of-a-key")
                                .header("User-Agent", "=cmd|' /C calc'!A0"),
                        "POST",
                        "/projects/" + project.id() + "/keys",
                        Map.of("name", "told", "permissions", List.of("snapshots:read")));
        var issued = expect(201, answer);

        var entry = only("subject=" + issued.getString("id"));
        assertThat(entry.getString("entries[0].action")).isEqualTo("key.create");
        assertThat(entry.getString("entries[0].address")).isEqualTo("203.0.113.9");
        assertThat(entry.getString("entries[0].requestId")).isEqualTo("told-of-a-key");
        assertThat(entry.getString("entries[0].details.permissions")).isEqualTo("snapshots:read");
        assertThat(entry.prettify()).doesNotContain(issued.getString("key").substring(12));
        var csv =
                given().header("X-API-Key", admin)
                        .accept("text/csv")
                        .get(
                                SharedServer.api()
                                        + "/api/v1"
                                        + path
                                        + "/export?subject="
                                        + issued.getString("id"));
        assertThat(csv.contentType()).startsWith("text/csv");
        assertThat(csv.asString().split("\r\n")).hasSize(2);
        assertThat(csv.asString()).contains("\"'=cmd|' /C calc'!A0\"");
    }

    @Test
    void aRefusedChangeLeavesOneEntryAndNothingDone() throws Exception {
        var reader = project.issued("snapshots:read");
        var who = "key:" + reader.getString("id");
        var key = reader.getString("key");
        var nothing =
                "/projects/" + project.id() + "/snapshots/00000000-0000-0000-0000-000000000000";

        assertRefused(403, "permission_missing", ask(key, "DELETE", nothing, null));
        assertRefused(404, "snapshot_not_found", ask(admin, "DELETE", nothing, null));
        assertRefused(
                400,
                "invalid_parameter",
                ask(admin, "POST", "/projects/" + project.id() + "/keys", "{\"name\":\"\"}"));
        given().header("X-API-Key", key).delete(SharedServer.api() + "/sandboxes/inone");
        expect(401, ask(given(), "DELETE", nothing, null));
        expect(200, ask(key, "GET", "/projects/" + project.id() + "/snapshots", null));

        assertThat(entries("principal=" + who))
                .extracting(each -> each.get("action") + " " + each.get("reason"))
                .containsExactly(
                        "sandbox.end permission_missing", "snapshot.delete permission_missing");
        assertThat(only("outcome=refused&action=key.create").getString("entries[0].reason"))
                .isEqualTo("invalid_parameter");
        assertThat(
                        database.value(
                                "select count(*) from audit_entry where principal = 'nobody'"
                                        + " and action <> 'console.sign_in'"))
                .as("besides keys that were tried at the console's door")
                .isEqualTo("0");
    }

    @Test
    void whoIsRefusedAllTheTimeFillsNoTable() throws Exception {
        var flooder = project.issued("snapshots:read");
        for (int i = 0; i < 50; i++) {
            ask(
                    flooder.getString("key"),
                    "DELETE",
                    "/projects/" + project.id() + "/snapshots/x",
                    null);
        }

        assertThat(
                        database.value(
                                "select count(*) from audit_entry where principal = 'key:"
                                        + flooder.getString("id")
                                        + "'"))
                .isEqualTo("30");
    }

    @Test
    void theServiceSeesWhatItsKeysDidAndAProjectWhatWasDoneToIt() {
        var other = OwnProject.make("changed");
        expect(
                200,
                service(
                        "PATCH",
                        "/admin/projects/" + other.id(),
                        Map.of("serviceLimit", Map.of("bytes", 77))));

        var own = other.key("project:admin");
        var told =
                expect(
                        200,
                        ask(
                                own,
                                "GET",
                                "/projects/" + other.id() + "/audit?action=project.change",
                                null));
        assertThat(told.getList("entries")).hasSize(1);
        assertThat(told.getString("entries[0].details.terms")).contains("service=77/");
        var service = expect(200, service("GET", "/admin/audit?subject=" + other.id(), null));
        assertThat(service.getList("entries.action"))
                .containsExactly("project.change", "project.create");
        assertThat(
                        expect(
                                        200,
                                        service(
                                                "GET",
                                                "/admin/audit?action=sandbox.create&outcome=done",
                                                null))
                                .getList("entries"))
                .as("nobody of the service makes sandboxes")
                .isEmpty();
        assertRefused(
                404,
                "project_not_found",
                ask(admin, "GET", "/projects/" + other.id() + "/audit", null));
    }

    @Test
    void manyEntriesAreReadPageByPageAndExportedWhole() throws Exception {
        fill("now() - interval '1 day'", 1234, "snapshot.delete");
        var filter = "action=snapshot.delete&to=" + Instant.now().minus(Duration.ofHours(2));
        var seen = new ArrayList<String>();
        String next = null;
        do {
            var page =
                    expect(
                            200,
                            ask(
                                    admin,
                                    "GET",
                                    path
                                            + "?limit=100&"
                                            + filter
                                            + (next == null ? "" : "&after=" + next),
                                    null));
            seen.addAll(page.getList("entries.id"));
            next = page.getString("next");
        } while (next != null);
        assertThat(seen).hasSize(1234);
        assertThat(new HashSet<>(seen)).hasSize(1234);

        var lines = ask(admin, "GET", path + "/export?" + filter, null).asString().split("\n");
        assertThat(lines).hasSize(1234);
        assertThat(new JsonPath(lines[1233]).getString("id")).isEqualTo(seen.get(1233));
        for (var wrong : new String[] {"from=x", "outcome=x", "action=x", "after=x", "limit=101"}) {
            assertRefused(400, "invalid_parameter", ask(admin, "GET", path + "?" + wrong, null));
        }
    }

    /** Nobody reads what these ask for, so that each holds its thread until it is left. */
    @Test
    void noMoreExportsAreWrittenAtOnceThanTheServerHasThreadsToSpare() throws Exception {
        fill("now() - interval '2 days'", MANY, "project.purge");
        database.sql(
                "update audit_entry set user_agent = repeat('long ', 200)"
                        + " where action = 'project.purge' and project_id = '"
                        + project.id()
                        + "'");
        var address = path + "/export?action=project.purge";
        var idle = new ArrayList<Socket>();
        try {
            for (int i = 0; i < SharedServer.EXPORTS; i++) {
                idle.add(asking("/api/v1" + address));
            }
            var refused = ask(admin, "GET", address, null);
            assertRefused(429, "rate_limited", refused);
            assertThat(refused.header("Retry-After")).isEqualTo("10");
            assertThat(refused.header("Content-Disposition")).isNull();
            expect(200, ask(admin, "GET", path + "?limit=1", null));

            await(
                    "those who do not read are left",
                    () -> ask(admin, "GET", path + "/export?limit=1&subject=x1", null).statusCode(),
                    status -> status == 200);
            var all = ask(admin, "GET", address, null);
            assertThat(all.asString().lines()).hasSize(MANY);
        } finally {
            for (var each : idle) {
                each.close();
            }
            database.sql(
                    "delete from audit_entry where action = 'project.purge' and project_id = '"
                            + project.id()
                            + "'");
        }
    }

    /** Has got the beginning of an answer, and reads no further. */
    private static Socket asking(String address) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(
                new InetSocketAddress(SharedServer.api().getHost(), SharedServer.api().getPort()));
        socket.getOutputStream()
                .write(
                        "GET %s HTTP/1.1\r\nHost: localhost\r\nX-API-Key: %s\r\n\r\n"
                                .formatted(address, admin)
                                .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                .isEqualTo("HTTP/1.1 200");
        return socket;
    }
}
