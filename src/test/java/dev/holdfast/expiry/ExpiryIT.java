package dev.holdfast.expiry;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When snapshots end, who is told before, and what ends a sandbox that nobody uses. */
class ExpiryIT {

    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final RandomGenerator RANDOM = RandomGenerator.getDefault();

    private static E2bClient client;
    private static NativeClient api;
    private static Sandbox source;

    private final List<String> opened = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();

    @BeforeAll
    static void opensOne() {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        api = new NativeClient();
        source = client.create("base", LIFE);
        client.write(source, "/home/user/kept", "kept");
    }

    @AfterEach
    void leavesNothing() {
        opened.forEach(client::kill);
        kept.forEach(client::deleteSnapshot);
    }

    @AfterAll
    static void endsIt() {
        client.kill(source.id());
    }

    @Test
    @Tag("R84")
    @Tag("F12")
    void livesForAWeekUnlessItsProjectSaysOtherwiseAndNeverChangesForThat() throws Exception {
        var before = capture(null);
        var saved = moment(before, "savedAt");
        assertThat(moment(before, "expiresAt")).isEqualTo(saved.plus(Duration.ofDays(7)));
        try {
            var set = api.patch("", Map.of("retentionSeconds", 7200));
            assertThat(expect(200, set).getInt("retentionSeconds")).isEqualTo(7200);
            var after = capture(null);
            assertThat(moment(after, "expiresAt"))
                    .isEqualTo(moment(after, "savedAt").plus(Duration.ofHours(2)));
            assertThat(moment(before, "expiresAt")).isEqualTo(saved.plus(Duration.ofDays(7)));
        } finally {
            assertThat(
                            expect(200, api.patch("", Map.of("retentionSeconds", 0)))
                                    .getString("retentionSeconds"))
                    .isNull();
        }
        assertRefusedFor(
                "retentionSeconds", api.patch("", Map.of("retentionSeconds", 400L * 86400)));
        assertRefusedFor("retentionSeconds", api.patch("", Map.of("retentionSeconds", -1)));
    }

    @Test
    @Tag("R84")
    @Tag("F12")
    void livesNoLongerThanItsProjectMayKeepAny() throws Exception {
        longest("3600");
        try {
            var preset = capture(null);
            assertThat(moment(preset, "expiresAt"))
                    .isEqualTo(moment(preset, "savedAt").plus(Duration.ofHours(1)));
            api.sql(
                    "update project set retention_seconds = 7200 where id = '"
                            + api.project()
                            + "'");
            var policy = capture(null);
            assertThat(moment(policy, "expiresAt"))
                    .isEqualTo(moment(policy, "savedAt").plus(Duration.ofHours(1)));
            assertRefusedFor(
                    "retention",
                    api.post(
                            "/sandboxes/" + source.id() + "/snapshots", Map.of("retention", 3601)));
        } finally {
            longest("null");
            expect(200, api.patch("", Map.of("retentionSeconds", 0)));
        }
    }

    private static void longest(String seconds) throws Exception {
        api.sql(
                "update project set longest_retention_seconds = "
                        + seconds
                        + " where id = '"
                        + api.project()
                        + "'");
    }

    private static void assertRefusedFor(String parameter, Response answer) {
        assertRefused(400, "invalid_parameter", answer);
        assertThat(answer.jsonPath().getString("parameter")).isEqualTo(parameter);
    }

    /** Its objects could not be removed several times, so the next try is far off. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R158")
    @Tag("F24")
    void hasItsCleanUpTriedAgainAtOnceWhenItIsDeletedAgain(boolean natively) throws Exception {
        var id = capture(null);
        api.sql(
                "update snapshot set state = 'CLEANUP_PENDING', removal_reason = 'DELETED',"
                        + " removed_at = now(), cleanup_attempts = 5, cleanup_error = 'away',"
                        + " cleanup_after = now() + interval '1 hour' where id = '"
                        + id
                        + "'");
        if (natively) {
            assertRefused(404, "snapshot_deleted", api.delete("/snapshots/" + id));
        } else {
            assertThat(client.deleteSnapshot(id)).isFalse();
        }
        await("its removal", () -> state(id).isEmpty());
    }

    @Test
    @Tag("R32")
    @Tag("F6")
    @Tag("F12")
    void expiresSoonerOrLaterAsSaidWithinThePolicy() throws Exception {
        var id = capture(null);
        var path = "/snapshots/" + id;
        var saved = moment(id, "savedAt");
        var first = api.get(path);
        var longer = saved.plus(Duration.ofDays(30));
        var changed = api.patchIf(path, first.header("ETag"), Map.of("expiresAt", longer + ""));
        expect(200, changed);
        assertThat(moment(id, "expiresAt")).isEqualTo(longer);
        assertThat(changed.header("ETag")).isNotEqualTo(first.header("ETag"));
        assertRefused(
                412,
                "precondition_failed",
                api.patchIf(path, first.header("ETag"), Map.of("retentionSeconds", 60)));
        expect(
                200,
                api.patchIf(path, changed.header("ETag"), Map.of("retentionSeconds", 3600 * 24)));
        assertThat(moment(id, "expiresAt")).isEqualTo(saved.plus(Duration.ofDays(1)));

        for (Map<String, ?> wrong :
                List.<Map<String, ?>>of(
                        Map.of(),
                        Map.of("expiresAt", Instant.now().minusSeconds(1) + ""),
                        Map.of("expiresAt", saved.plus(Duration.ofDays(366)) + ""),
                        Map.of("expiresAt", "tomorrow"),
                        Map.of("expiresAt", "+999999999-12-31T00:00:00Z"),
                        Map.of("retentionSeconds", 60, "expiresAt", longer + ""))) {
            assertRefusedFor("expiresAt", api.patch(path, wrong));
        }
        for (var wrong : List.of(0L, 366L * 86400, Long.MAX_VALUE)) {
            assertRefusedFor(
                    "retentionSeconds", api.patch(path, Map.of("retentionSeconds", wrong)));
        }
        assertThat(moment(id, "expiresAt")).isEqualTo(saved.plus(Duration.ofDays(1)));
    }

    /** The job that removes it comes by every other second, and is not waited for. */
    @Test
    @Tag("R85")
    @Tag("R86")
    @Tag("R117")
    @Tag("R127")
    @Tag("F12")
    void isOverAtTheInstantAndItsObjectsWaitForItsOccupants() throws Exception {
        var id = capture("expiry-it");
        var clone = client.create(id, LIFE);
        opened.add(clone.id());
        var at = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MICROS);
        expect(200, api.patch("/snapshots/" + id, Map.of("expiresAt", at + "")));
        assertThat(listed()).contains(id);
        Thread.sleep(Duration.between(Instant.now(), at).plusMillis(30).toMillis());

        assertThat(listed()).doesNotContain(id);
        assertThat(client.snapshots().stream().map(E2bClient.Snapshot::id)).doesNotContain(id);
        assertRefused(404, "snapshot_expired", api.restore(id, Map.of()));
        assertRefused(
                404,
                "snapshot_expired",
                api.patch("/snapshots/" + id, Map.of("retentionSeconds", 86400)));
        assertThat(client.deleteSnapshot(id)).isFalse();
        var next = capture("expiry-it");
        assertThat(api.snapshot(next).getString("names[0]")).endsWith("/expiry-it:default");
        Thread.sleep(2500);
        var waits = api.snapshot(id);
        assertThat(waits.getString("state")).as("while it is occupied").isEqualTo("saved");
        assertThat(waits.getString("verdict.reason")).isEqualTo("expired");
        assertThat(waits.getList("names")).isEmpty();
        assertThat(waits.getList("occupants", String.class)).containsExactly(clone.id());
        assertThat(client.read(clone, "/home/user/kept")).isEqualTo("kept");
        client.kill(clone.id());
        await("its removal", () -> !state(id).equals("SAVED"));
    }

    /** Before the job has come, while its objects wait, and when they are gone. */
    @Test
    @Tag("R86")
    @Tag("F12")
    void saysTheSameMomentWhoeverAsksAndWhateverTheJobsHaveDone() throws Exception {
        var id = capture(null);
        var at = moment(id, "savedAt").plus(Duration.ofMinutes(1)).truncatedTo(ChronoUnit.MICROS);
        api.sql(
                "update snapshot set saved_at = saved_at - interval '1 hour', expires_at ="
                        + " timestamptz '"
                        + at
                        + "' - interval '1 hour' where id = '"
                        + id
                        + "'");
        var said = new HashSet<String>();
        for (boolean gone = false; !gone; ) {
            gone = state(id).isEmpty();
            said.add(api.delete("/snapshots/" + id).jsonPath().getString("detail"));
            said.add(api.restore(id, Map.of()).jsonPath().getString("detail"));
            said.add(
                    expect(200, api.post("/snapshots/delete", Map.of("ids", List.of(id))))
                            .getString("items[0].detail"));
            Thread.sleep(100);
        }
        assertThat(said)
                .containsExactly(
                        "Snapshot "
                                + id
                                + " expired at "
                                + at.minus(Duration.ofHours(1))
                                + " and cannot be used. Capture again, or use another snapshot.");
    }

    @Test
    @Tag("F12")
    void warnsOnceForEachDistance() throws Exception {
        var id = capture(null);
        api.sql(
                "update snapshot set saved_at = now() - interval '30 days' where id = '"
                        + id
                        + "'");
        expire(id, Duration.ofHours(23));
        await("the first warning", () -> "86400".equals(warned(id)));
        var version = api.value("select version from snapshot where id = '" + id + "'");
        Thread.sleep(2500);
        assertThat(api.value("select version from snapshot where id = '" + id + "'"))
                .as("not warned again")
                .isEqualTo(version);
        expire(id, Duration.ofMinutes(59));
        await("the second warning", () -> "3600".equals(warned(id)));
        expire(id, Duration.ofDays(2));
        assertThat(warned(id)).as("extended").isNull();
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, Integer.getInteger("holdfast.repeat", 2));
    }

    /** Either the restore came first and everything waits for its sandbox, or the expiry did. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R86")
    @Tag("R153")
    @Tag("F3")
    void endsOrIsRestoredAndNeverHalf(int round) throws Exception {
        var id = capture("expiry-race");
        var at =
                Instant.now().plusMillis(1200 + RANDOM.nextInt(200)).truncatedTo(ChronoUnit.MICROS);
        expect(200, api.patch("/snapshots/" + id, Map.of("expiresAt", at + "")));
        var asked = new ArrayList<CompletableFuture<Response>>();
        for (int i = -1; i <= 1; i++) {
            var moment = at.plusMillis(i * 15L - 10 + RANDOM.nextInt(20));
            asked.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                sleepUntil(moment);
                                return api.restore(id, Map.of("timeout", 60));
                            }));
        }
        var won = new ArrayList<String>();
        for (var each : asked) {
            var answer = each.join();
            assertThat(answer.statusCode()).as(answer.asString()).isIn(201, 404);
            if (answer.statusCode() == 201) {
                won.add(answer.jsonPath().getString("sandbox.id"));
            } else {
                assertRefused(404, "snapshot_expired", answer);
            }
        }
        opened.addAll(won);
        assertRefused(404, "snapshot_expired", api.restore(id, Map.of()));
        assertThat(listed()).doesNotContain(id);
        if (won.isEmpty()) {
            await("its removal", () -> !state(id).equals("SAVED"));
        } else {
            assertThat(api.snapshot(id).getList("occupants", String.class))
                    .containsExactlyInAnyOrderElementsOf(won);
            assertThat(state(id)).isEqualTo("SAVED");
        }
        for (var each : won) {
            assertThat(api.sandbox(each).getString("state")).isEqualTo("running");
        }
    }

    @Test
    @Tag("R147")
    @Tag("F5")
    void endsOrPausesASandboxThatNobodyUses() throws Exception {
        var idle = open(Map.of("idleTimeout", 2));
        var pausing = open(Map.of("idleTimeout", 2, "autoPause", true));
        var lives = endAt(pausing.id());
        var ends = CompletableFuture.supplyAsync(() -> endsBeforeItIsPaused(pausing.id()));
        var command = open(Map.of("idleTimeout", 4));
        var visited = open(Map.of("idleTimeout", 4));
        var begun = Instant.now();
        client.startInBackground(command, "sleep 8");
        while (Instant.now().isBefore(begun.plusMillis(5200))) {
            client.read(visited, "/etc/hostname");
            Thread.sleep(300);
        }
        assertThat(client.lifecycleState(visited.id())).as("visited").isEqualTo("RUNNING");
        var last = Instant.now();
        expect(200, api.patch("/sandboxes/" + visited.id(), "{\"idleTimeout\":null}"));
        assertThat(client.lifecycleState(command.id())).as("a command ran").isEqualTo("RUNNING");
        await("it is paused", () -> client.lifecycleState(pausing.id()).equals("PAUSED"));
        assertThat(ends.join()).as("idleness leaves the lifetime alone").containsOnly(lives);
        client.resume(pausing, LIFE);
        assertThat(client.must(pausing, "echo on")).isEqualTo("on\n");
        expect(200, api.patch("/sandboxes/" + pausing.id(), "{\"idleTimeout\":null}"));
        var ended = api.sandbox(idle.id());
        assertThat(ended.getString("endReason")).isEqualTo("idle");
        assertThat(idleFor(idle.id())).isBetween(1.8, 5.0);

        await("the command's sandbox to end", () -> ended(command.id()));
        assertThat(api.sandbox(command.id()).getString("endReason")).isEqualTo("idle");
        Thread.sleep(
                Math.max(0, Duration.between(Instant.now(), last.plusMillis(3500)).toMillis()));
        assertThat(client.lifecycleState(visited.id())).as("may be idle").isEqualTo("RUNNING");
        expect(200, api.patch("/sandboxes/" + visited.id(), Map.of("idleTimeout", 1)));
        await("the visited one to end", () -> ended(visited.id()));
        for (Object wrong : List.of(0, -1, "2", 1.5, 100_000_000)) {
            assertRefused(
                    400,
                    "invalid_parameter",
                    api.patch("/sandboxes/" + pausing.id(), Map.of("idleTimeout", wrong)));
        }
    }

    private static String endAt(String id) throws Exception {
        return api.value("select end_at from sandbox where id = '" + id + "'");
    }

    /** The ends of its lifetime that can be seen until its pause is over. */
    private static Set<String> endsBeforeItIsPaused(String id) {
        var seen = new HashSet<String>();
        try {
            for (var end = ""; end != null; Thread.sleep(5)) {
                end =
                        api.value(
                                "select end_at from sandbox where state <> 'PAUSED' and id = '"
                                        + id
                                        + "'");
                if (end != null) {
                    seen.add(end);
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return seen;
    }

    /** From the start to the end of one that nobody ever used. */
    private static double idleFor(String id) throws Exception {
        return Double.parseDouble(
                api.value(
                        "select extract(epoch from ended_at - started_at) from sandbox where id = '"
                                + id
                                + "'"));
    }

    private static boolean ended(String id) {
        return client.lifecycleState(id).equals("ENDED");
    }

    private Sandbox open(Map<String, ?> members) {
        var body = new java.util.LinkedHashMap<String, Object>(members);
        body.put("templateID", "base");
        body.put("timeout", LIFE.toSeconds());
        var sandbox = client.open(body);
        opened.add(sandbox.id());
        return sandbox;
    }

    private String capture(String name) {
        var id = (name == null ? client.snapshot(source) : client.snapshot(source, name)).id();
        kept.add(id);
        return id;
    }

    private static void expire(String id, Duration fromNow) throws Exception {
        expect(
                200,
                api.patch(
                        "/snapshots/" + id, Map.of("expiresAt", Instant.now().plus(fromNow) + "")));
    }

    private static Instant moment(String id, String member) {
        return Instant.parse(api.snapshot(id).getString(member));
    }

    private static String state(String id) throws Exception {
        var state = api.value("select state from snapshot where id = '" + id + "'");
        return state == null ? "" : state;
    }

    private static String warned(String id) throws Exception {
        return api.value("select expiry_warned_seconds from snapshot where id = '" + id + "'");
    }

    private static Set<String> listed() {
        return Set.copyOf(expect(200, api.get("/snapshots")).getList("snapshots.id", String.class));
    }

    private static void sleepUntil(Instant moment) {
        try {
            Thread.sleep(Math.max(0, Duration.between(Instant.now(), moment).toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
