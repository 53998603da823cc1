package dev.holdfast.autosave;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.job.AdminClient;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What policies capture, over a project of its own; an interval is over when the row says so. */
class CapturePolicyIT {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private static NativeClient api;
    private static E2bClient client;
    private static String key;

    private final List<String> opened = new ArrayList<>();

    @BeforeAll
    static void connects() throws Exception {
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        api = new NativeClient(key);
        client = new E2bClient(SharedServer.api(), key);
    }

    @AfterEach
    void endsWhatItOpened() {
        opened.forEach(id -> ask("DELETE", id, null));
        opened.forEach(client::kill);
    }

    @Test
    @Tag("F7")
    @Tag("F16")
    void capturesAtItsIntervalWhatHasChangedAndKeepsTheLast() throws Exception {
        Sandbox sandbox = open(LIFE);
        Sandbox idle = open(LIFE);
        refusesWhatItCannotKeep(sandbox);
        isForWhoMadeTheSandboxOrManagesOthers(idle);
        Map<String, ?> policy = Map.of("every", 3600, "keepLast", 1, "retention", 86400);
        JsonPath set = expect(200, ask("PUT", sandbox.id(), policy));
        assertThat(Instant.parse(set.getString("nextRunAt")))
                .isBetween(Instant.now().plusSeconds(3200), Instant.now().plusSeconds(3600));
        expect(200, ask("PUT", idle.id(), policy));

        List<String> made = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            client.write(sandbox, "/home/user/moment", "moment " + i);
            due(sandbox, idle);
            made.add(captured(sandbox, "interval", i));
            if (i == 1) {
                captured(idle, "interval", 1);
            }
        }
        // What came while it was captured counts for one more.
        Eventually.await(
                "the idle one is quiet",
                () -> {
                    due(idle);
                    return run(idle);
                },
                seen ->
                        seen.getString("unchangedAt") != null
                                && "done".equals(seen.getString("lastRun.state")));
        JsonPath first = run(idle);
        api.sql("update autosave set unchanged_at = null");
        due(sandbox, idle);
        for (Sandbox each : List.of(sandbox, idle)) {
            Eventually.await(
                    "nothing has changed",
                    () -> run(each).getString("unchangedAt"),
                    at -> at != null);
        }
        assertThat(run(idle).getString("lastRun.uploadId"))
                .as("who does nothing is captured once")
                .isEqualTo(first.getString("lastRun.uploadId"));
        assertThat(run(sandbox).getLong("kept")).isEqualTo(1);

        assertThat(listed(sandbox)).as("the last one").containsExactly(made.get(1));
        JsonPath kept = api.snapshot(made.get(1));
        assertThat(kept.getString("kind")).isEqualTo("auto");
        assertThat(kept.getString("createdBy")).isEqualTo("system");
        assertThat(kept.getList("names")).isEmpty();
        assertThat(kept.getMap("labels")).isEqualTo(Map.of("holdfast/cause", "interval"));
        assertThat(
                        Duration.between(
                                Instant.parse(kept.getString("savedAt")),
                                Instant.parse(kept.getString("expiresAt"))))
                .isEqualTo(Duration.ofDays(1));
        assertThat(
                        api.value(
                                "select details->>'retention' from audit_entry where action ="
                                        + " 'snapshot.expire' and subject_id = '"
                                        + made.get(0)
                                        + "'"))
                .contains("keeps the last 1");
        assertThat(content(made.get(1))).isEqualTo("moment 2");

        assertThat(ask("DELETE", sandbox.id(), null).statusCode()).isEqualTo(204);
        assertThat(ask("DELETE", sandbox.id(), null).statusCode()).isEqualTo(204);
        assertRefused(404, "capture_policy_not_found", ask("GET", sandbox.id(), null));
        assertThat(api.sandbox(sandbox.id()).<Object>get("capturePolicy")).isNull();
        assertThat(listed(sandbox)).as("it only expires now").hasSize(1);
        assertThat(
                        expect(200, ask("PUT", sandbox.id(), Map.of("onKill", true, "keepLast", 1)))
                                .getInt("kept"))
                .as("also under the next policy")
                .isZero();
        assertThat(actions(sandbox))
                .containsSubsequence("capture_policy.set", "capture_policy.remove");
    }

    private void refusesWhatItCannotKeep(Sandbox sandbox) {
        for (Map<String, ?> wrong :
                List.<Map<String, ?>>of(
                        Map.of(),
                        Map.of("every", 59),
                        Map.of("every", 86401),
                        Map.of("every", "soon"),
                        Map.of("atTimeout", true, "keepLast", 101),
                        Map.of("atTimeout", true, "keepLast", 5_000_000_000L),
                        Map.of("atTimeout", true, "memoryPercent", 50),
                        Map.of("onKill", true, "retention", 10_000_000_000L),
                        Map.of("onKill", true, "colour", "red"))) {
            assertRefused(400, "invalid_parameter", ask("PUT", sandbox.id(), wrong));
        }
        assertRefused(404, "capture_policy_not_found", ask("GET", sandbox.id(), null));
        assertRefused(
                404,
                "sandbox_not_found",
                new NativeClient().get("/sandboxes/" + sandbox.id() + "/capture-policy"));
        assertRefused(
                404, "sandbox_not_found", ask("PUT", "i" + "0".repeat(20), Map.of("onKill", true)));
    }

    private void isForWhoMadeTheSandboxOrManagesOthers(Sandbox sandbox) {
        Map<String, ?> policy = Map.of("onKill", true, "keepLast", 1);
        String user = issued("sandboxes:use");
        for (String verb : List.of("PUT", "DELETE")) {
            Response refused = ask(user, verb, sandbox.id(), verb.equals("PUT") ? policy : null);
            assertRefused(403, "permission_missing", refused);
            assertThat(refused.jsonPath().getString("permission")).isEqualTo("sandboxes:manage");
        }
        String manager = issued("sandboxes:use", "sandboxes:manage");
        expect(200, ask(manager, "PUT", sandbox.id(), policy));
        assertThat(ask(manager, "DELETE", sandbox.id(), null).statusCode()).isEqualTo(204);
    }

    private static String issued(String... permissions) {
        return expect(
                        201,
                        given().header("X-API-Key", SharedServer.adminKey())
                                .contentType("application/json")
                                .body(
                                        NativeClient.json(
                                                Map.of(
                                                        "name",
                                                        "of a test",
                                                        "permissions",
                                                        List.of(permissions))))
                                .post(
                                        SharedServer.api()
                                                + "/api/v1/projects/"
                                                + api.project()
                                                + "/keys"))
                .getString("key");
    }

    /** Neither of them runs any more when its state is saved, and a kill is answered then. */
    @Test
    @Tag("F2")
    @Tag("F5")
    @Tag("F16")
    @Tag("R101")
    void savesWhatWasThereAtTheEndBeforeAKillAndATimeout() throws Exception {
        Sandbox killed = open(LIFE);
        Sandbox timed = open(LIFE);
        Map<String, ?> policy = Map.of("atTimeout", true, "onKill", true, "onMemoryDanger", true);
        for (Sandbox each : List.of(killed, timed)) {
            var twice =
                    Stream.generate(() -> supplyAsync(() -> ask("PUT", each.id(), policy)))
                            .limit(2)
                            .toList();
            twice.forEach(put -> expect(200, put.join()));
            JsonPath set = run(each);
            assertThat(set.getInt("memoryPercent")).isEqualTo(90);
            assertThat(set.getInt("keepLast")).isEqualTo(5);
            client.startInBackground(
                    each, "i=0; while true; do i=$((i+1)); echo $i > /home/user/count; done");
            client.write(each, "/home/user/moment", "the last one");
        }
        setTimeout(timed, 1);

        var kill = client.askToKill(killed.id());
        assertThat(kill.get().statusCode()).isEqualTo(204);
        assertThat(api.sandbox(killed.id()).getString("state")).isEqualTo("ended");
        assertThat(api.sandbox(killed.id()).getString("endReason")).isEqualTo("killed");
        assertThat(client.kill(killed.id())).as("it has ended").isFalse();
        assertThat(client.sandboxes()).doesNotContain(killed.id());
        Eventually.await(
                "the timeout",
                () -> api.sandbox(timed.id()).getString("endReason"),
                "timeout"::equals);

        assertThat(run(killed).getString("lastRun.cause")).isEqualTo("kill");
        assertThat(run(timed).getString("lastRun.cause")).isEqualTo("timeout");
        assertThat(run(timed).getString("nextRunAt")).isNull();
        for (Sandbox each : List.of(killed, timed)) {
            String snapshot = run(each).getString("lastRun.snapshotId");
            assertThat(snapshot).as(run(each).prettify()).isNotNull();
            assertThat(content(snapshot)).isEqualTo("the last one");
            told(each, "sandbox.capture_started", 1);
            told(each, "sandbox.ended", 1);
        }
        assertThat(actions(killed)).containsOnlyOnce("sandbox.end");
        assertThat(
                        api.value(
                                "select (details->>'reason') || ' ' || (details->>'upload') ||"
                                        + " case when address is null or request_id is null then"
                                        + " ' from nowhere' else '' end from audit_entry where"
                                        + " action = 'sandbox.end' and outcome = 'DONE'"
                                        + " and subject_id = '"
                                        + killed.id()
                                        + "'"))
                .isEqualTo("killed " + run(killed).getString("lastRun.uploadId"));
    }

    /** It goes on for that as soon as there is room, or ends without it and says so. */
    @Test
    @Tag("R168")
    void capturesWhatADrainHasPausedWhenItsTimeoutComes() throws Exception {
        var admin = new AdminClient(SharedServer.get());
        Sandbox sandbox = open(LIFE);
        Sandbox late = open(LIFE);
        Sandbox pausing =
                client.open(
                        Map.of(
                                "templateID",
                                "base",
                                "timeout",
                                LIFE.toSeconds(),
                                "autoPause",
                                true));
        opened.add(pausing.id());
        for (Sandbox each : List.of(sandbox, late, pausing)) {
            expect(200, ask("PUT", each.id(), Map.of("atTimeout", true)));
            client.write(each, "/home/user/moment", "the last one");
        }
        expect(200, admin.put("/workers/worker-1/drain"));
        try {
            for (Sandbox each : List.of(sandbox, late, pausing)) {
                Eventually.await("it is paused", () -> state(each), "paused"::equals);
            }
            over(sandbox, "now()");
            over(late, "now() - interval '1 hour'");
            over(pausing, "now()");
            Eventually.await("that ends", () -> state(late), "ended"::equals);
            assertThat(run(late).getString("lastError.reason")).isEqualTo("no_worker");
            told(late, "sandbox.capture_skipped", 1);
            assertThat(state(sandbox)).as("it waits for room").isEqualTo("paused");
            Eventually.await(
                    "it sleeps as if nobody had drained its worker", () -> sleepsByItself(pausing));
            assertThat(state(pausing)).isEqualTo("paused");
        } finally {
            expect(200, admin.delete("/workers/worker-1/drain"));
        }

        Eventually.await("that ends too", () -> state(sandbox), "ended"::equals);
        assertThat(api.sandbox(sandbox.id()).getString("endReason")).isEqualTo("timeout");
        assertThat(run(sandbox).getString("lastRun.cause")).isEqualTo("timeout");
        assertThat(content(run(sandbox).getString("lastRun.snapshotId"))).isEqualTo("the last one");
    }

    private static boolean sleepsByItself(Sandbox sandbox) throws Exception {
        return api.sql(
                        "update sandbox set drained = false where not drained and id = '"
                                + sandbox.id()
                                + "'")
                == 1;
    }

    private static String state(Sandbox sandbox) {
        return api.sandbox(sandbox.id()).getString("state");
    }

    private static void over(Sandbox sandbox, String end) throws Exception {
        api.sql("update sandbox set end_at = " + end + " where id = '" + sandbox.id() + "'");
    }

    /** The figures of a quota are in the refusal; the sandbox does not notice. */
    @Test
    @Tag("F7")
    @Tag("F8")
    void isLeftOutAndToldWhenThereIsNoRoomAndBreaksNoSandbox() throws Exception {
        Sandbox sandbox = open(LIFE);
        expect(200, ask("PUT", sandbox.id(), Map.of("every", 3600, "onKill", true)));
        String taken = client.snapshot(sandbox).id();
        room(1);
        try {
            due(sandbox);
            JsonPath refused =
                    Eventually.await(
                            "the refusal",
                            () -> run(sandbox),
                            seen -> seen.getString("lastError.reason") != null);
            assertThat(refused.getString("lastError.reason")).isEqualTo("quota_count_exceeded");
            assertThat(refused.getString("lastError.cause")).isEqualTo("interval");
            assertThat(refused.<Object>get("lastRun")).isNull();
            assertThat(Instant.parse(refused.getString("nextRunAt")))
                    .as("and not before")
                    .isAfter(Instant.now().plusSeconds(3000));
            told(sandbox, "sandbox.capture_skipped", 1);
            assertThat(client.must(sandbox, "echo on")).isEqualTo("on\n");

            assertThat(client.kill(sandbox.id())).as("ends all the same").isTrue();
            assertThat(run(sandbox).getString("lastError.cause")).isEqualTo("kill");
            told(sandbox, "sandbox.capture_skipped", 2);
        } finally {
            room(1000);
            client.deleteSnapshot(taken);
        }
    }

    @Test
    @Tag("F16")
    void capturesOnceWhenItsMemoryIsNearlyFull() throws Exception {
        Sandbox sandbox = open(LIFE);
        expect(
                200,
                ask(
                        "PUT",
                        sandbox.id(),
                        Map.of("onMemoryDanger", true, "memoryPercent", 60, "keepLast", 1)));
        int pid =
                client.startInBackground(
                        sandbox,
                        "exec python3 -c \"import time; kept = bytearray(b'x') * (360 << 20);"
                                + " time.sleep(600)\"");
        String snapshot = captured(sandbox, "memory", 1);
        assertThat(client.processes(sandbox)).contains(pid);
        assertThat(api.snapshot(snapshot).getLong("logicalBytes")).isGreaterThan(360L << 20);
        assertThat(api.snapshot(snapshot).getMap("labels"))
                .isEqualTo(Map.of("holdfast/cause", "memory"));
        assertThat(listed(sandbox)).as("it is as full as before").containsExactly(snapshot);
    }

    private Sandbox open(Duration life) {
        Sandbox sandbox = client.create("base", life);
        opened.add(sandbox.id());
        return sandbox;
    }

    private static String content(String snapshot) {
        Sandbox restored = client.create(snapshot, LIFE);
        try {
            return client.read(restored, "/home/user/moment");
        } finally {
            client.kill(restored.id());
        }
    }

    /** The snapshot of the capture that comes next, when so many have been made. */
    private static String captured(Sandbox sandbox, String cause, int number) throws Exception {
        JsonPath done =
                Eventually.await(
                        "capture " + number + " of " + sandbox.id(),
                        () -> run(sandbox),
                        seen ->
                                "done".equals(seen.getString("lastRun.state"))
                                        && (made(sandbox) == number));
        assertThat(done.getString("lastRun.cause")).isEqualTo(cause);
        return done.getString("lastRun.snapshotId");
    }

    private static int made(Sandbox sandbox) {
        try {
            return Integer.parseInt(
                    api.value(
                            "select count(*) from audit_entry where action = 'snapshot.save' and"
                                    + " outcome = 'DONE' and subject_id in (select id::text from"
                                    + " snapshot where source_sandbox_id = '"
                                    + sandbox.id()
                                    + "' union select snapshot_id::text from tombstone where"
                                    + " source_sandbox_id = '"
                                    + sandbox.id()
                                    + "')"));
        } catch (java.sql.SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonPath run(Sandbox sandbox) {
        return expect(200, ask("GET", sandbox.id(), null));
    }

    private static List<String> listed(Sandbox sandbox) {
        return expect(200, api.get("/snapshots?sourceSandboxId=" + sandbox.id()))
                .getList("snapshots.id");
    }

    private static void due(Sandbox... sandboxes) throws Exception {
        for (Sandbox each : sandboxes) {
            api.sql(
                    "update autosave set next_at = clock_timestamp() - interval '1 second' where"
                            + " sandbox_id = '"
                            + each.id()
                            + "'");
        }
    }

    private static void room(int snapshots) throws Exception {
        api.sql(
                "update project set plan_snapshots = "
                        + snapshots
                        + " where id = '"
                        + api.project()
                        + "'");
    }

    /** The log is written a moment after what it tells. */
    private static void told(Sandbox sandbox, String type, int times) throws Exception {
        Eventually.await(
                times + " times " + type,
                () ->
                        api.value(
                                "select count(*) from event where subject = '"
                                        + sandbox.id()
                                        + "' and type = '"
                                        + type
                                        + "'"),
                Integer.toString(times)::equals);
    }

    private static List<String> actions(Sandbox sandbox) throws Exception {
        return List.of(
                api.value(
                                "select string_agg(action, ' ' order by id) from audit_entry where"
                                        + " outcome = 'DONE' and subject_id = '"
                                        + sandbox.id()
                                        + "'")
                        .split(" "));
    }

    private static void setTimeout(Sandbox sandbox, int seconds) {
        client.ask(sandbox.id(), "timeout", Map.of("timeout", seconds)).join();
    }

    private static Response ask(String verb, String id, Map<String, ?> body) {
        return ask(key, verb, id, body);
    }

    private static Response ask(String key, String verb, String id, Map<String, ?> body) {
        var call = given().urlEncodingEnabled(false).header("X-API-Key", key);
        if (body != null) {
            call = call.contentType("application/json").body(NativeClient.json(body));
        }
        return call.request(
                verb,
                SharedServer.api()
                        + "/api/v1/projects/"
                        + api.project()
                        + "/sandboxes/"
                        + id
                        + "/capture-policy");
    }
}
