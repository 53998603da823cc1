package dev.holdfast.event;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.LocalBroker;
import dev.holdfast.run.LocalBucket;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Management;
import dev.holdfast.run.Options;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A node whose queues are on a broker elsewhere and whose objects are in a bucket, and what it does
 * while the broker is away. All are this test's own. What stops it comes last.
 */
@TestMethodOrder(OrderAnnotation.class)
class BrokerIT {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final Duration LIFE = Duration.ofHours(1);
    private static final int PORT_OFFSET = 450;
    private static final int BROKER_OFFSET = 455;

    /** The name of a lock in the database. */
    private static final int SECOND_CLAIM = 4711;

    /** What is counted from its beginning includes all that is asked meanwhile. */
    private static final Duration OUTAGE = Duration.ofSeconds(REPEAT < 10 ? 5 : 60);

    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    /** Its worker looks by itself after ten seconds, every five. */
    private static final Duration UNHEARD = Duration.ofSeconds(60);

    private static final int LAST = Integer.MAX_VALUE;
    private static final Duration DRAIN =
            REPEAT < 10 ? Duration.ofMinutes(3) : Duration.ofSeconds(45);

    private static final Duration FAREWELL = Duration.ofSeconds(10);
    private static final String PHASE =
            "select phase from snapshot where state = 'UPLOADING' and source_sandbox_id = '%s'";

    private static LocalBroker broker;
    private static LocalBucket bucket;
    private static LocalServer server;
    private static E2bClient client;
    private static NativeClient project;

    @BeforeAll
    static void starts() throws Exception {
        broker = LocalBroker.beside("broker", BROKER_OFFSET).start();
        bucket = LocalBucket.start(Options.besideHome("broker-bucket"));
        var settings = new HashMap<>(broker.settings());
        settings.putAll(bucket.settings());
        settings.put("HOLDFAST_OPERATOR_SAMPLE_PERIOD", "PT1S");
        settings.put("HOLDFAST_WORKER_DRAIN", DRAIN.toString());
        settings.put("HOLDFAST_FLEET_FAREWELL", FAREWELL.toString());
        settings.put("HOLDFAST_GENERATION_1", "true");
        settings.put("HOLDFAST_MANAGEMENT_USER", "operator");
        settings.put("HOLDFAST_MANAGEMENT_PASSWORD", UUID.randomUUID().toString());
        server = LocalServer.of(Options.beside("broker", PORT_OFFSET, settings)).forget().start();
        client = new E2bClient(server.api(), server.apiKey());
        project = new NativeClient(server);
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (server != null) {
            server.stop();
            server.keepConsole(Path.of("target", "server-log-broker"));
            server.erase();
        }
        if (broker != null) {
            broker.close();
        }
        if (bucket != null) {
            bucket.erase();
        }
    }

    @Test
    @Tag("F9")
    void handsEverythingOverThroughIt() throws Exception {
        var source = client.create("base", LIFE);
        client.write(source, "/home/user/kept", "as it was");
        var snapshot = client.snapshot(source).id();
        var restored = client.create(snapshot, LIFE);
        assertThat(client.read(restored, "/home/user/kept")).isEqualTo("as it was");
        client.pause(source);
        assertThat(client.read(client.resume(source, LIFE), "/home/user/kept"))
                .isEqualTo("as it was");
        assertThat(client.kill(restored.id())).isTrue();
        assertThat(row("select machine_id from sandbox where id = '" + restored.id() + "'"))
                .as("it was told and had not to look by itself")
                .isNull();
        assertThat(client.kill(source.id())).isTrue();
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
    }

    /** The other worker is nowhere, so what is meant for it waits. */
    @Test
    @Tag("F9")
    void keepsWhatIsForAnotherWorkerForThatOne() throws Exception {
        var source = client.create("base", LIFE);
        execute(
                "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                        + " started_at, missing) values ('elsewhere', 'gvisor systrap', 'amd64', 1,"
                        + " now() + interval '1 hour', now(), 'it is nowhere')");
        giveTo("elsewhere", source);
        var answer = client.snapshotAsync(source, null);
        await("it is counted", () -> depth("holdfast.capture"), depth -> depth == 1);
        assertThat(client.lifecycleState(source.id())).isEqualTo("SNAPSHOTTING");
        giveTo("worker-1", source);
        execute("update snapshot set deadline_at = now() where state = 'UPLOADING'");
        try (var management = new Management(server)) {
            management.job("reap-stalled-captures", Map.of());
        }
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        assertThat(depth("holdfast.capture")).isEqualTo(1);
        assertThat(client.kill(source.id())).isTrue();
    }

    @Test
    @Tag("F9")
    void failsACaptureThatWasTakenInVainThreeTimes() throws Exception {
        var source = client.create("base", LIFE);
        refuseClaims();
        Instant began = Instant.now();
        var answer = client.snapshotAsync(source, "dead").get(60, TimeUnit.SECONDS);
        allowClaims();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
        assertThat(answer.body()).contains("capture_failed", "no worker could take the request");
        assertThat(claims()).isEqualTo(3);
        assertThat(Duration.between(began, Instant.now()))
                .as("half a second, then twice that")
                .isGreaterThan(Duration.ofMillis(1_500));
        await("the dead letter is taken", () -> depth("DLQ"), depth -> depth == 0);
        assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        client.deleteSnapshot(client.snapshot(source, "dead").id());
        assertThat(client.kill(source.id())).isTrue();
    }

    @Test
    @Tag("R161")
    @Tag("F9")
    void refusesWhatNeedsABrokerThatIsAwayAndGoesOnWithTheRest() throws Exception {
        var source = client.create("base", LIFE);
        client.write(source, "/home/user/kept", "as it was");
        var snapshot = client.snapshot(source).id();
        var doomed = client.snapshot(source).id();
        var paused = client.create("base", LIFE);
        client.pause(paused);
        var killed = client.create("base", LIFE);
        var waiting = client.create("base", LIFE);
        var replaced = client.create("base", LIFE);
        refuseClaims();
        var seal = holdSeal();
        var replacing =
                CompletableFuture.supplyAsync(
                        () ->
                                project.post(
                                        "/sandboxes/" + replaced.id() + "/restore",
                                        Map.of("snapshotId", snapshot)));
        await("its worker has it", () -> "FREEZING".equals(row(PHASE.formatted(replaced.id()))));
        CompletableFuture<HttpResponse<String>> accepted;
        Instant away;
        try (var held = DriverManager.getConnection(server.databaseUrl());
                var statement = held.createStatement()) {
            statement.execute("select pg_advisory_lock(" + SECOND_CLAIM + ")");
            accepted = client.snapshotAsync(waiting, "accepted");
            await("it is delivered again", () -> claims() == 2);
            broker.kill();
            away = Instant.now();
        }
        seal.close();
        allowClaims();
        await("it is sealed", () -> row(PHASE.formatted(replaced.id())) == null);
        await("it is not ready", BrokerIT::health, health -> health.statusCode() == 503);
        assertThat(checkNamed("broker").getString("status")).isEqualTo("DOWN");
        var brief = Map.of("templateID", "base");
        String before = rows();
        refused(() -> client.askToOpen(brief, UUID.randomUUID().toString()).join());
        refused(() -> client.snapshotAsync(source, "refused").join());
        refused(() -> client.ask(source.id(), "pause", Map.of()).join());
        refused(() -> client.ask(paused.id(), "connect", Map.of("timeout", 60)).join());
        refused(
                () ->
                        client.askToOpen(
                                        Map.of("templateID", snapshot),
                                        UUID.randomUUID().toString())
                                .join());
        natively(() -> project.post("/sandboxes/" + source.id() + "/snapshots", Map.of()));
        natively(() -> project.post("/sandboxes/" + source.id() + "/pause", Map.of()));
        natively(() -> project.restore(snapshot, Map.of()));
        natively(
                () ->
                        project.post(
                                "/sandboxes/" + source.id() + "/restore",
                                Map.of("snapshotId", snapshot)));
        natively(() -> project.get("/snapshots/" + snapshot + "/files/content?path=/etc/hosts"));
        assertThat(rows()).as("sandboxes, snapshots and reservations").isEqualTo(before);
        for (var each : List.of(source, paused)) {
            assertThat(client.lifecycleState(each.id()))
                    .isEqualTo(each == source ? "RUNNING" : "PAUSED");
        }

        assertThat(client.sandboxes()).contains(source.id(), paused.id());
        assertThat(client.must(source, "cat /home/user/kept")).isEqualTo("as it was");
        assertThat(client.snapshots()).anyMatch(each -> each.id().equals(snapshot));
        assertThat(client.deleteSnapshot(doomed)).isTrue();
        expect(200, project.get("/storage"));
        assertThat(client.kill(killed.id())).isTrue();
        await(
                "its worker has seen by itself that it ended",
                UNHEARD,
                () ->
                        row("select machine_id from sandbox where id = '" + killed.id() + "'")
                                == null);
        expect(200, replacing.get(60, TimeUnit.SECONDS));
        assertThat(client.read(replaced, "/home/user/kept"))
                .as("its worker has seen by itself that it is to go on")
                .isEqualTo("as it was");
        try (var management = new Management(server)) {
            assertThat(management.job("expire-snapshots", Map.of()).status())
                    .isEqualTo("COMPLETED");
        }
        while (Duration.between(away, Instant.now()).compareTo(OUTAGE) < 0) {
            assertThat(client.must(source, "echo on")).isEqualTo("on\n");
            refused(() -> client.snapshotAsync(source, "refused").join());
            Thread.sleep(500);
        }

        broker.start();
        var told = accepted.get(120, TimeUnit.SECONDS);
        assertThat(told.statusCode()).as(told.body()).isEqualTo(201);
        await("it is ready again", () -> health().statusCode(), status -> status == 200);
        assertThat(client.read(client.resume(paused, LIFE), "/etc/hostname")).isNotEmpty();
        client.snapshot(source, "refused");
        var restored = client.create(snapshot, LIFE);
        assertThat(client.read(restored, "/home/user/kept")).isEqualTo("as it was");
        for (var each : List.of(source, paused, waiting, restored, replaced)) {
            assertThat(client.kill(each.id())).isTrue();
        }
    }

    /** A node that starts, or stops, while its broker is away does so. */
    @Test
    @Tag("F9")
    void startsAndStopsWithoutIt() throws Exception {
        assumeTrue(REPEAT >= 10, "a boot: in full runs");
        broker.stop();
        Instant began = Instant.now();
        server.restart();
        assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofMinutes(2));
        var brief = Map.of("templateID", "base");
        refused(() -> client.askToOpen(brief, UUID.randomUUID().toString()).join());
        broker.start();
        await("it is ready", () -> health().statusCode(), status -> status == 200);
        var sandbox = client.create("base", LIFE);
        client.deleteSnapshot(client.snapshot(sandbox).id());
        assertThat(client.kill(sandbox.id())).isTrue();
    }

    @Test
    @Tag("R168")
    void takesSandboxesAgainWhenItsStopIsCalledOff() throws Exception {
        assumeTrue(REPEAT >= 10, "a suspension: in full runs");
        var sandbox = client.create("base", LIFE);
        try (var management = new Management(server)) {
            management.suspend(true);
            assertThat(row(DRAINING)).isNotNull();
            management.suspend(false);
        }
        await("it takes sandboxes", () -> row(DRAINING) == null && health().statusCode() == 200);
        assertThat(client.must(sandbox, "echo on")).isEqualTo("on\n");
        assertThat(client.kill(sandbox.id())).isTrue();
    }

    /** What a capture has is waited for, no limit keeps it from pausing, and not all can be. */
    @Test
    @Order(LAST)
    @Tag("R168")
    void pausesWhatItRunsBeforeItStopsAndTakesSandboxesAgainWhenItStarts() throws Exception {
        var kept = client.create("base", LIFE);
        client.write(kept, "/home/user/kept", "as it was");
        var number = client.startInBackground(kept, "exec sleep 1000");
        var captured = client.create("base", LIFE);
        var light = client.create("base-light", LIFE);
        execute(
                "update project set service_bytes = plan_bytes, service_snapshots = 1 + (select"
                        + " count(*) from snapshot where kind <> 'PAUSE'), service_live_sandboxes = 3,"
                        + " service_lifetime_seconds = 86400");
        var capture = client.snapshotAsync(captured, "stopping");
        await("it is taken", () -> client.lifecycleState(captured.id()), "SNAPSHOTTING"::equals);

        Instant began = Instant.now();
        var stopped = CompletableFuture.runAsync(BrokerIT::terminate);
        await("nobody is sent here", () -> checkNamed("stop").getString("status"), "DOWN"::equals);
        assertThat(health().statusCode()).isEqualTo(503);
        assertAnswersAndEndsTheConnection();
        stopped.join();

        assertThat(Duration.between(began, Instant.now()))
                .as("nobody waits for what cannot be paused")
                .isLessThan(DRAIN);
        assertThat(capture.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(fate(kept)).isEqualTo("PAUSED");
        assertThat(fate(captured)).isEqualTo("PAUSED");
        assertThat(fate(light)).isEqualTo("ENDED WORKER_STOPPED");

        if (REPEAT < 10) {
            return; // what is paused goes on by many other tests, and a boot takes its time
        }
        server.restart();
        execute(
                "update project set service_bytes = null, service_snapshots = null,"
                        + " service_live_sandboxes = null, service_lifetime_seconds = null");
        assertThat(client.read(kept, "/home/user/kept")).isEqualTo("as it was");
        assertThat(client.processes(kept)).as("what ran runs on").contains(number);
        var restored = client.create(saved(), LIFE);
        for (var each : List.of(kept, captured, restored)) {
            assertThat(client.must(each, "echo on")).isEqualTo("on\n");
            assertThat(client.kill(each.id())).isTrue();
        }
        assertThat(client.deleteSnapshot(saved())).isTrue();
    }

    @Test
    @Order(LAST)
    @Tag("R168")
    void pausesAsWellWhenItsManagementStopsOrReloadsIt() throws Exception {
        assumeTrue(REPEAT >= 10, "two boots: in full runs");
        var sandbox = client.create("base", LIFE);
        client.write(sandbox, "/home/user/kept", "as it was");
        try (var management = new Management(server)) {
            management.reload();
        }
        await("it is ready again", () -> row(DRAINING) == null && health().statusCode() == 200);
        assertThat(fate(sandbox)).isEqualTo("PAUSED");
        assertThat(client.read(sandbox, "/home/user/kept")).isEqualTo("as it was");
        try (var management = new Management(server)) {
            var told = CompletableFuture.runAsync(() -> shutDown(management));
            await("it is told", () -> row(DRAINING) != null);
            server.terminate();
            told.join();
        }
        assertThat(fate(sandbox)).as("the second stop waited as well").isEqualTo("PAUSED");
        server.restart();
        assertThat(client.read(sandbox, "/home/user/kept")).isEqualTo("as it was");
        assertThat(client.kill(sandbox.id())).isTrue();
    }

    private static void terminate() {
        try {
            server.terminate();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertAnswersAndEndsTheConnection() throws Exception {
        for (var path : List.of("/sandboxes", "/health")) {
            var request =
                    HttpRequest.newBuilder(server.api().resolve(path))
                            .version(HttpClient.Version.HTTP_1_1)
                            .header("X-API-Key", server.apiKey())
                            .build();
            var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as(path + " " + answer.body())
                    .isEqualTo(path.equals("/health") ? 503 : 200);
            assertThat(answer.headers().firstValue("Connection")).as(path).contains("close");
        }
    }

    private static final String DRAINING = "select draining_at from worker where id = 'worker-1'";

    /** Its answer may be cut off by the end. */
    private static void shutDown(Management management) {
        try {
            management.shutdown();
        } catch (IOException e) {
            // The row says that it was told.
        }
    }

    /** Without its broker it can pause nothing, and its operator waits no longer than he said. */
    @Test
    @Order(LAST)
    void stopsWhenItsTimeToPauseIsOver() throws Exception {
        assumeTrue(REPEAT >= 10, "the whole of its time, and a boot: in full runs");
        var sandbox = client.create("base", LIFE);
        broker.stop();
        Instant began = Instant.now();
        server.terminate();
        assertThat(Duration.between(began, Instant.now()))
                .isBetween(DRAIN, DRAIN.plus(FAREWELL).plusSeconds(30));
        assertThat(fate(sandbox)).isEqualTo("ENDED WORKER_STOPPED");
        broker.start();
        server.restart();
    }

    private static String fate(Sandbox sandbox) throws SQLException {
        return row(
                "select concat_ws(' ', state, end_reason) from sandbox where id = '"
                        + sandbox.id()
                        + "'");
    }

    private static String saved() throws SQLException {
        return row("select id from snapshot where short_name = 'stopping' and state = 'SAVED'");
    }

    private static void refused(Callable<HttpResponse<String>> call) throws Exception {
        Instant began = Instant.now();
        var answer = call.call();
        assertThat(Duration.between(began, Instant.now())).isLessThan(AT_ONCE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(new JsonPath(answer.body()).getString("reason")).isEqualTo("broker_unavailable");
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
    }

    private static void natively(Callable<Response> call) throws Exception {
        Instant began = Instant.now();
        var answer = call.call();
        assertThat(Duration.between(began, Instant.now())).isLessThan(AT_ONCE);
        NativeClient.assertRefused(503, "broker_unavailable", answer);
        assertThat(answer.header("Retry-After")).isEqualTo("5");
    }

    /**
     * Claims are counted and come to nothing, as where the database fails one statement; the second
     * one waits while somebody holds it back.
     */
    private static void refuseClaims() throws SQLException {
        execute(
                "create sequence if not exists claims",
                "alter sequence claims restart",
                "create or replace function refuse_claim() returns trigger language plpgsql as"
                        + " 'begin if nextval(''claims'') > 1 then perform"
                        + " pg_advisory_xact_lock_shared("
                        + SECOND_CLAIM
                        + "); end if; raise exception ''not now''; end'",
                "create trigger refuse_claim before update on snapshot for each row"
                        + " when (old.phase = 'ACCEPTED' and new.phase = 'FREEZING'"
                        + " and new.kind = 'SNAPSHOT')"
                        + " execute function refuse_claim()");
    }

    private static void allowClaims() throws SQLException {
        execute("drop trigger refuse_claim on snapshot");
    }

    private static long claims() throws SQLException {
        return Long.parseLong(
                row("select case when is_called then last_value else 0 end from claims"));
    }

    /** No state that was written is sealed until the answer is closed. */
    private static Connection holdSeal() throws SQLException {
        execute(
                "create or replace function hold_seal() returns trigger language plpgsql as"
                        + " 'begin perform pg_advisory_xact_lock(8); return new; end'",
                "create or replace trigger hold_seal before update on snapshot for each row"
                        + " when (old.phase = 'FREEZING' and new.phase = 'SEALING')"
                        + " execute function hold_seal()");
        var holder = DriverManager.getConnection(server.databaseUrl());
        try (var statement = holder.createStatement()) {
            statement.execute("select pg_advisory_lock(8)");
        }
        return holder;
    }

    private static void giveTo(String worker, Sandbox sandbox) throws SQLException {
        execute(
                "update sandbox set worker_id = '%s' where id = '%s'"
                        .formatted(worker, sandbox.id()));
    }

    private static String rows() throws SQLException {
        return row(
                "select concat_ws(' ', (select count(*) from sandbox), (select count(*) from"
                        + " snapshot), (select count(*) from reservation))");
    }

    private static String row(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(server.databaseUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    private static void execute(String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection(server.databaseUrl());
                var statement = connection.createStatement()) {
            for (var each : statements) {
                statement.executeUpdate(each);
            }
        }
    }

    private static HttpResponse<String> health() throws Exception {
        return get("/health/ready");
    }

    private static JsonPath checkNamed(String name) throws Exception {
        return new JsonPath(health().body())
                .setRootPath("checks.find { it.name == '" + name + "' }");
    }

    private static double depth(String queue) throws Exception {
        return get("/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_operator_queue_depth"))
                .filter(line -> line.contains("queue=\"" + queue + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        var request =
                HttpRequest.newBuilder(server.management().resolve(path))
                        .timeout(Duration.ofSeconds(20))
                        .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
