package dev.holdfast.quota;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.job.HeldStarts;
import dev.holdfast.job.Job;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a project may store, stores and has stored, as its own people see it. */
class StorageIT {

    private static final Duration LIFE = Duration.ofMinutes(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CROWD = 12;

    /** A fourth of what the rest is repeated: each round has six captures to make and to store. */
    private static final int ROUNDS = Math.max(1, Integer.getInteger("holdfast.repeat", 2) / 4);

    /** A project with what its tests made in it. */
    private static final class Tenant {

        final NativeClient api;
        final E2bClient client;
        final List<Sandbox> opened = new ArrayList<>();

        Tenant() throws Exception {
            var key =
                    OtherProject.key(
                            SharedServer.api(),
                            SharedServer.apiKey(),
                            SharedServer.get().databaseUrl());
            api = new NativeClient(key);
            client = new E2bClient(SharedServer.api(), key);
            TENANTS.add(this);
        }

        Sandbox open() {
            var sandbox = client.create("base", LIFE);
            opened.add(sandbox);
            return sandbox;
        }

        JsonPath storage() {
            return expect(200, api.get("/storage"));
        }

        /** Sets what an operator would, past the server. */
        void limit(long bytes, long snapshots) throws SQLException {
            api.sql(
                    "update project set service_bytes = %d, service_snapshots = %d, service_live_sandboxes = 50, service_lifetime_seconds = 7200 where id = '%s'"
                            .formatted(bytes, snapshots, api.project()));
        }

        void unlimited() throws SQLException {
            limit(1L << 50, 1_000_000);
        }
    }

    private static final List<Tenant> TENANTS = new ArrayList<>();

    @AfterAll
    static void leavesNothing() {
        for (var each : TENANTS) {
            each.opened.forEach(sandbox -> each.client.kill(sandbox.id()));
            each.client.snapshots().forEach(found -> each.client.deleteSnapshot(found.id()));
        }
    }

    @Test
    @Tag("R58")
    @Tag("R59")
    @Tag("R60")
    void tellsThePlanAndTheServiceLimitWhereThereIsOne() throws Exception {
        var fresh = new Tenant();
        var before = fresh.storage();
        assertThat(before.getLong("plan.bytes")).isEqualTo(1_000_000_000_000L);
        assertThat(before.getInt("plan.snapshots")).isEqualTo(1000);
        assertThat(before.getInt("plan.liveSandboxes")).isEqualTo(100);
        assertThat(before.getInt("plan.longestLifetimeSeconds")).isEqualTo(86400);
        assertThat(before.getMap("$")).doesNotContainKey("serviceLimit");
        assertThat(before.<Object>get("limit")).isEqualTo(before.get("plan"));
        assertThat(before.getMap("used")).hasToString("{bytes=0, liveSandboxes=0, snapshots=0}");
        assertThat(before.getList("warnings")).isEmpty();

        fresh.limit(5000, 5);
        var after = fresh.storage();
        assertThat(after.<Object>get("plan")).isEqualTo(before.get("plan"));
        assertThat(after.getLong("serviceLimit.bytes")).isEqualTo(5000);
        assertThat(after.<Object>get("limit")).isEqualTo(after.get("serviceLimit"));
        assertThat(new Tenant().storage().getMap("$")).doesNotContainKey("serviceLimit");
        assertRefused(404, "project_not_found", stranger(fresh));
    }

    private static Response stranger(Tenant other) {
        return given().header("X-API-Key", SharedServer.apiKey())
                .get(SharedServer.api() + "/api/v1/projects/" + other.api.project() + "/storage");
    }

    /** From the capture to the clean-up, which is held up in the middle. */
    @Test
    @Tag("R52")
    @Tag("R53")
    @Tag("R56")
    @Tag("R57")
    @Tag("R66")
    @Tag("R67")
    void tellsWhatIsStoredByWhatItIs() throws Exception {
        var own = new Tenant();
        var sandbox = own.open();
        var id = own.client.snapshot(sandbox).id();
        var expired = own.client.snapshot(sandbox).id();
        var stored = own.storage();
        assertThat(stored.getInt("saved.count")).isEqualTo(2);
        assertThat(stored.getLong("saved.bytes")).isPositive();
        assertThat(stored.getLong("uploads.count")).isZero();
        assertSum(stored);

        own.client.pause(sandbox);
        var paused = own.storage();
        assertThat(paused.getInt("paused.count")).isEqualTo(1);
        assertThat(paused.getLong("paused.bytes")).isPositive();
        assertThat(paused.getInt("used.snapshots")).as("a pause is none").isEqualTo(2);
        assertThat(paused.getInt("used.liveSandboxes")).isEqualTo(1);
        assertSum(paused);
        long bytes = bytes(own, id);
        try (var held = new UsageHeld(own)) {
            assertThat(own.client.deleteSnapshot(id)).isTrue();
            expire(own, expired);
            var waiting = own.storage();
            assertThat(used(waiting)).as("charged until it is gone").isEqualTo(used(paused));
            assertThat(waiting.getInt("used.snapshots")).isEqualTo(2);
            assertThat(waiting.getLong("awaitingCleanup.bytes")).isGreaterThanOrEqualTo(bytes);
            assertSum(waiting);
        }
        await("both to be gone", () -> own.storage().getInt("used.snapshots") == 0);
        assertThat(used(own.storage())).isEqualTo(paused.getLong("paused.bytes"));
    }

    /** In the past, so that the job's next round sends it to its clean-up; this is before that. */
    private static void expire(Tenant own, String snapshot) throws Exception {
        try (var held = new HeldStarts(SharedServer.get().databaseUrl(), Job.EXPIRE_SNAPSHOTS)) {
            own.api.sql(
                    "update snapshot set saved_at = saved_at - interval '1 day', expires_at ="
                            + " now() - interval '1 hour' where id = '"
                            + snapshot
                            + "'");
            var told = own.storage();
            assertThat(told.getLong("expired.bytes"))
                    .as("what its deletion would free")
                    .isEqualTo(bytes(own, snapshot))
                    .isPositive();
            assertThat(told.getInt("expired.count")).isEqualTo(1);
            assertThat(told.getInt("expired.occupied")).isZero();
            assertThat(held.underWay()).as("runs that could have taken it").isZero();
            assertSum(told);
        }
    }

    @Test
    @Tag("R56")
    @Tag("R66")
    void tellsOfReservationsOfWhatHasExpiredAndOfACleanUpThatFails() throws Exception {
        var own = new Tenant();
        var sandbox = own.open();
        var occupied = own.client.snapshot(sandbox).id();
        var clone = own.client.create(occupied, LIFE);
        own.opened.add(clone);
        var failing = own.client.snapshot(sandbox).id();
        long bytes = bytes(own, failing);
        own.api.sql(
                "update snapshot set state = 'CLEANUP_PENDING', name_held = false, removal_reason ="
                        + " 'DELETED', removed_at = now(), cleanup_after = now() + interval '1"
                        + " hour', cleanup_attempts = 3, cleanup_error = 'disk is read-only' where"
                        + " id = '"
                        + failing
                        + "'");
        own.api.sql(
                "insert into reservation values (gen_random_uuid(), '"
                        + own.api.project()
                        + "', 4096, now() + interval '1 hour')");
        own.api.sql(
                "update snapshot set saved_at = saved_at - interval '1 day', expires_at = now() -"
                        + " interval '1 hour' where id = '"
                        + occupied
                        + "'");

        var told = own.storage();

        assertThat(told.getLong("awaitingCleanup.bytes")).isEqualTo(bytes);
        assertThat(told.getInt("awaitingCleanup.count")).isEqualTo(1);
        assertThat(told.getInt("awaitingCleanup.failing")).isEqualTo(1);
        assertThat(told.getString("awaitingCleanup.lastError")).isEqualTo("disk is read-only");
        assertThat(Instant.parse(told.getString("awaitingCleanup.nextAttemptAt")))
                .isAfter(Instant.now().plusSeconds(600));
        assertThat(told.getMap("uploads")).hasToString("{bytes=4096, count=1}");
        assertThat(told.getMap("expired")).hasToString("{bytes=0, count=0, occupied=1}");
        assertThat(told.getInt("used.snapshots")).isEqualTo(3);
        assertSum(told);

        assertThat(own.client.deleteSnapshot(failing)).as("tries the clean-up again").isFalse();
        await("its clean-up", () -> own.storage().getLong("awaitingCleanup.count") == 0);
        own.client.kill(clone.id());
        own.client.kill(sandbox.id());
        await("the expiry", () -> own.storage().getLong("used.snapshots") == 1);
        assertThat(used(own.storage())).isEqualTo(4096);
        own.api.sql("delete from reservation where project_id = '" + own.api.project() + "'");
    }

    @Test
    @Tag("R166")
    void tellsWhatWasStoredOnEachDay() throws Exception {
        var own = new Tenant();
        var today = LocalDate.now(ZoneOffset.UTC);
        var nothing = expect(200, own.api.get("/storage/history"));
        assertThat(nothing.getList("days")).hasSize(90);
        assertThat(nothing.getLong("byteHours")).isZero();
        var sandbox = own.open();
        own.client.snapshot(sandbox);
        long bytes = used(own.storage());
        own.api.sql("delete from usage_day where project_id = '" + own.api.project() + "'");
        own.api.sql(
                "update project_usage set measured_at = measured_at - interval '50 hours' where"
                        + " project_id = '"
                        + own.api.project()
                        + "'");

        var idle = expect(200, own.api.get("/storage/history?days=5"));
        assertHours(idle, bytes * 50.0);
        assertThat(idle.getList("days.day", String.class))
                .startsWith(today.minusDays(4).toString())
                .hasSize(5);
        assertThat(idle.getLong("days[0].byteHours")).isZero();
        assertThat(idle.getLong("days[3].byteHours")).isEqualTo(bytes * 24);
        assertThat(idle.getLong("days[3].peakBytes")).isEqualTo(bytes);
        assertThat(idle.getInt("days[3].snapshots")).isEqualTo(1);

        own.client.pause(sandbox);
        var settled = expect(200, own.api.get("/storage/history?days=5"));
        assertHours(settled, bytes * 50.0);
        assertThat(settled.getLong("days[3].byteHours")).isEqualTo(bytes * 24);
        assertThat(settled.getLong("days[4].peakBytes")).isEqualTo(used(own.storage()));
        assertThat(own.api.value(rowsOf(own))).as("written down").isIn("3", "4");
        own.client.kill(sandbox.id());

        assertThat(expect(200, own.api.get("/storage/history?days=1")).getList("days")).hasSize(1);
        for (var wrong : List.of("0", "91", "-1", "x", "1.5", "")) {
            assertRefused(400, "invalid_parameter", own.api.get("/storage/history?days=" + wrong));
        }
    }

    /** What comes to pass meanwhile is seconds. */
    private static void assertHours(JsonPath history, double expected) {
        assertThat((double) history.getLong("byteHours"))
                .isBetween(expected, expected * (1 + 60.0 / (50 * 3600)));
    }

    private static String rowsOf(Tenant tenant) {
        return "select count(*) from usage_day where project_id = '" + tenant.api.project() + "'";
    }

    /** Nothing that frees, and nothing that has to be kept, asks for room. */
    @Test
    @Tag("R60")
    @Tag("F8")
    void refusesCapturesOnlyWhenItIsFull() throws Exception {
        var own = new Tenant();
        var sandbox = own.open();
        var pausing =
                own.client.open(Map.of("templateID", "base", "timeout", 300, "autoPause", true));
        own.opened.add(pausing);
        var kept = own.client.snapshot(sandbox).id();
        var passing = own.client.snapshot(sandbox).id();
        long bytes = used(own.storage());
        own.limit(bytes - 1, 1);

        var over = own.storage();
        assertThat(over.getBoolean("over")).isTrue();
        assertThat(over.getList("warnings.what")).containsExactly("bytes", "snapshots");
        assertThat(over.getList("warnings.over")).containsExactly(true, true);
        assertThat(over.getLong("warnings[1].percent")).isEqualTo(200);
        assertThat(own.client.snapshots()).as("nothing is removed").hasSize(2);

        own.limit(bytes - 1, 1000);
        assertFull(own, sandbox, "quota_bytes_exceeded", bytes - 1, bytes, 512L << 20);
        own.limit(1L << 40, 2);
        assertFull(own, sandbox, "quota_count_exceeded", 2, 2, 1);
        own.limit(bytes - 1, 1);

        own.client.pause(sandbox);
        own.client.resume(sandbox, LIFE);
        assertThat(
                        own.client
                                .ask(pausing.id(), "timeout", Map.of("timeout", 1))
                                .join()
                                .statusCode())
                .isEqualTo(204);
        await("the auto-pause", () -> own.client.lifecycleState(pausing.id()).equals("PAUSED"));
        own.client.resume(pausing, LIFE);
        var clone = own.client.create(kept, LIFE);
        own.opened.add(clone);
        assertThat(own.client.must(clone, "echo restored")).isEqualTo("restored\n");
        expect(
                200,
                own.api.patch(
                        "/snapshots/" + passing,
                        Map.of("expiresAt", Instant.now().plusSeconds(1) + "")));
        own.client.kill(clone.id());
        assertThat(own.client.deleteSnapshot(kept)).isTrue();
        await("expiry and clean-up", () -> own.storage().getInt("used.snapshots") == 0);

        own.limit(1L << 40, 1);
        own.client.snapshot(sandbox);
        var neighbour = new Tenant();
        neighbour.limit(1L << 40, 1);
        neighbour.client.snapshot(neighbour.open());
        assertThat(own.storage().getInt("used.snapshots")).isEqualTo(1);
        assertThat(own.storage().getList("warnings.what")).containsExactly("snapshots");
    }

    /** In both dialects, with figures and words, and before anything is frozen. */
    private static void assertFull(
            Tenant own, Sandbox sandbox, String reason, long limit, long used, long needed)
            throws Exception {
        var before = own.api.value("select count(*) from snapshot");
        var asSdk = own.client.snapshotAsync(sandbox, null).join();
        assertThat(asSdk.statusCode()).as(asSdk.body()).isEqualTo(403);
        var asProgram = own.api.post("/sandboxes/" + sandbox.id() + "/snapshots", Map.of());
        assertRefused(403, reason, asProgram);
        for (var told : List.of(new JsonPath(asSdk.body()), asProgram.jsonPath())) {
            assertThat(told.getString("reason")).isEqualTo(reason);
            assertThat(told.getLong("limit")).isEqualTo(limit);
            assertThat(told.getLong("used")).isEqualTo(used);
            assertThat(told.getLong("needed")).isEqualTo(needed);
        }
        assertThat(new JsonPath(asSdk.body()).getString("message"))
                .contains(limit + "", used + "", needed + "");
        assertThat(asProgram.jsonPath().getString("detail"))
                .contains(limit + "", used + "", needed + "");
        assertThat(own.client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
        assertThat(own.api.value("select count(*) from snapshot")).isEqualTo(before);
        assertThat(own.storage().getLong("uploads.count")).isZero();
    }

    /** The limits leave room for three more than there are, for as many sandboxes as there are. */
    @Test
    @Tag("R56")
    @Tag("R60")
    @Tag("R168")
    @Tag("F8")
    void admitsExactlyAsManyCapturesAtOnceAsThereIsRoomFor() throws Exception {
        var own = new Tenant();
        var crowd =
                IntStream.range(0, CROWD)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> own.client.create("base", LIFE)))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();
        own.opened.addAll(crowd);
        for (int round = 0; round < ROUNDS; round++) {
            int used = own.storage().getInt("used.snapshots");
            own.limit(1L << 50, used + 3);
            assertThat(statuses(own, crowd))
                    .containsOnly(Map.entry(201, 3L), Map.entry(403, (long) CROWD - 3));
            assertThat(own.storage().getInt("used.snapshots")).isEqualTo(used + 3);

            // What is settled is smaller than what was held, so more than one may come through.
            long most = used(own.storage()) + (512L << 20);
            own.limit(most, 1_000_000);
            assertThat(statuses(own, crowd.subList(0, 3)).get(201)).isPositive();
            assertThat(used(own.storage())).isLessThanOrEqualTo(most);
            own.unlimited();
        }
        assertThat(own.storage().getLong("uploads.count")).isZero();
        assertThat(crowd).allMatch(each -> own.client.lifecycleState(each.id()).equals("RUNNING"));
    }

    private static Map<Integer, Long> statuses(Tenant own, List<Sandbox> crowd) {
        return crowd.stream().map(each -> own.client.snapshotAsync(each, null)).toList().stream()
                .map(CompletableFuture::join)
                .collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
    }

    @Test
    @Tag("F10")
    void reconcilesCountersWithRowsAndSaysSo() throws Exception {
        var own = new Tenant();
        var sandbox = own.open();
        own.client.snapshot(sandbox);
        own.client.kill(sandbox.id());
        var right = own.storage();
        own.api.sql(
                "update project_usage set stored_bytes = stored_bytes + 77, stored_count = 9,"
                        + " paused_bytes = 5 where project_id = '"
                        + own.api.project()
                        + "'");
        own.api.sql(
                "insert into reservation values (gen_random_uuid(), '"
                        + own.api.project()
                        + "', 4096, now() + interval '1 hour')");
        var wrong = own.storage();
        try (var management = new Management(SharedServer.get())) {
            var only = Map.of("project", own.api.project());
            var dry =
                    management.job(
                            "reconcile-usage",
                            Map.of("project", own.api.project(), "dryRun", "true"));
            assertThat(dry.found())
                    .isEqualTo("reservations_stale 1 (4096 bytes), usage_differs 1 (82 bytes)");
            assertThat(own.storage().getMap("used")).isEqualTo(wrong.getMap("used"));

            var repaired = management.job("reconcile-usage", only);
            assertThat(repaired.found())
                    .isEqualTo("reservations_removed 1 (4096 bytes), usage_repaired 1 (82 bytes)");
            assertThat(own.api.value("select detail from finding where reason = 'usage_repaired'"))
                    .contains("counted 9 snapshots", "stored 1 snapshots");
            assertThat(own.storage().getMap("used")).isEqualTo(right.getMap("used"));
            assertThat(own.storage().getMap("uploads")).isEqualTo(right.getMap("uploads"));

            assertThat(management.job("reconcile-usage", only).found()).isEqualTo("nothing found");
        }
    }

    /** What counts is the sum of what is told below it. */
    private static void assertSum(JsonPath storage) {
        long bytes = 0;
        for (var part : List.of("saved", "uploads", "paused", "trash", "awaitingCleanup")) {
            bytes += storage.getLong(part + ".bytes");
        }
        assertThat(used(storage)).isEqualTo(bytes);
        long count = 0;
        for (var part : List.of("saved", "uploads", "trash", "awaitingCleanup")) {
            count += storage.getLong(part + ".count");
        }
        assertThat(storage.getLong("used.snapshots")).isEqualTo(count);
    }

    private static long used(JsonPath storage) {
        return storage.getLong("used.bytes");
    }

    private static long bytes(Tenant tenant, String snapshot) throws SQLException {
        return Long.parseLong(
                tenant.api.value(
                        "select stored_bytes from snapshot where id = '" + snapshot + "'"));
    }

    /** The counters of a project locked: no clean-up comes to its end. */
    private static final class UsageHeld implements AutoCloseable {

        private final Connection connection;

        UsageHeld(Tenant tenant) throws SQLException {
            connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute(
                        "select 1 from project_usage where project_id = '"
                                + tenant.api.project()
                                + "' for update");
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
