package dev.holdfast.capture;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bRefusal;
import dev.holdfast.job.AdminClient;
import dev.holdfast.job.Snapshots;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Options;
import dev.holdfast.template.TemplateClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * WildFly ends by KILL, between captures and in their middle. It has an installation of its own, so
 * that no other test loses its server.
 */
class CrashIT {

    private static final Duration LIFE = Duration.ofHours(1);
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final int PORT_OFFSET = 300;
    private static final int BALLAST_MIB = 120;

    private static final String COUNTER =
            """
            import time
            number = 0
            with open("/home/user/ticks", "w", buffering=1) as ticks:
                while True:
                    number += 1
                    ticks.write(f"{number}\\n")
                    time.sleep(0.05)
            """;

    private static final String STATE = "/home/user/state";

    /** What is written into the database alone has no parts in the store. */
    private static final Map<String, String> SETTINGS =
            Map.of("HOLDFAST_EXPIRY_VERIFY_PARTS", "off");

    private static final RandomGenerator RANDOM = RandomGenerator.getDefault();

    private static LocalServer server;
    private static E2bClient client;
    private static Leavings leavings;

    /** Captured again and again while the server dies; it must outlive all of it. */
    private static Sandbox veteran;

    private static int veteranCounter;
    private static Duration captureTime;
    private static final Set<String> proven = new HashSet<>();
    private static Guards guards;

    @BeforeAll
    static void starts() throws Exception {
        server = LocalServer.of(Options.beside("crash", PORT_OFFSET, SETTINGS)).forget().start();
        client = new E2bClient(server.api(), server.apiKey());
        leavings = new Leavings(server.options().home(), server.databaseUrl());
        veteran = client.create("base", LIFE);
        veteranCounter = startCounter(veteran);
        client.startInBackground(
                veteran,
                "exec python3 -c 'import os, time; held = os.urandom(%d << 20); open(\"full\", \"w\"); time.sleep(7200)'"
                        .formatted(BALLAST_MIB));
        client.must(veteran, "until [ -e full ]; do sleep 0.1; done");
        guards = new Guards(server);
        proven.addAll(guards.ids());
        var begin = Instant.now();
        client.snapshot(veteran);
        captureTime = Duration.between(begin, Instant.now());
    }

    /** A test that failed while the server was away must not fail the others. */
    @BeforeEach
    void isThere() throws Exception {
        try {
            client.must(veteran, "true");
        } catch (UncheckedIOException away) {
            comesBack();
        }
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (server != null) {
            var home = server.options().home();
            var instance = leavings == null ? null : leavings.instance();
            if (guards != null) {
                guards.close();
            }
            server.stop();
            server.keepConsole(Path.of("target", "server-log-crash"));
            if (instance != null) {
                Leavings.assertNothing(home, instance);
            }
            server.erase();
        }
    }

    @Test
    void adoptsWhatRunsAfterAKill() throws Exception {
        var sandbox = client.create("base", LIFE);
        int counter = startCounter(sandbox);
        client.write(sandbox, "/home/user/kept", "as before");
        var snapshot = client.snapshot(sandbox);
        var clone = client.create(snapshot.id(), LIFE);
        String shown = looksInto(snapshot.id());
        int seen = ticks(clone);
        var templates = new TemplateClient(server.api(), server.apiKey());
        var upload = templates.begin("name=broken-off");
        await(
                "a template is being built",
                () -> templates.get("broken-off").statusCode(),
                status -> status == 200);

        var rows = new Snapshots(server.databaseUrl());
        var job = beginsToRead(rows);

        server.killHard();
        Thread.sleep(1_000);
        rows.release();
        comesBack();
        upload.close();
        goesOnReading(rows, job);
        assertThat(leavings.rows("select machine from peek")).isEmpty();
        assertThat(leavings.machines()).as("nobody is shown anything").doesNotContain(shown);
        assertThat(new JsonPath(templates.get("broken-off").body()).getString("state"))
                .isEqualTo("FAILED");
        assertThat(templates.list().body()).contains("stopped in the middle of the build");
        assertThat(server.options().home().resolve("build"))
                .isDirectoryNotContaining(left -> !left.endsWith("tools"));

        for (var each : List.of(sandbox, clone)) {
            assertThat(client.lifecycleState(each.id())).isEqualTo("RUNNING");
            assertThat(client.connect(each.id(), LIFE).token()).isEqualTo(each.token());
            assertThat(client.processes(each)).contains(counter);
            assertThat(client.read(each, "/home/user/kept")).isEqualTo("as before");
            assertThat(client.must(each, "echo works")).isEqualTo("works\n");
            assertCounts(each);
        }
        assertThat(ticks(clone))
                .as("it went on while the server was away")
                .isGreaterThan(seen + 20);

        // The clone still occupies its snapshot, and the snapshot is what it was.
        assertThatThrownBy(() -> client.deleteSnapshot(snapshot.id()))
                .isInstanceOfSatisfying(
                        E2bRefusal.class, refusal -> assertThat(refusal.status()).isEqualTo(409));
        assertRestores(snapshot.id());
        assertRestores(client.snapshot(clone).id());
        assertThat(client.kill(sandbox.id())).isTrue();
        assertThat(client.kill(clone.id())).isTrue();
        assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
        assertNothingIsLost();
    }

    /** The machine that shows a snapshot. */
    private static String looksInto(String snapshot) throws Exception {
        String project =
                leavings.rows("select project_id from snapshot where id = '" + snapshot + "'")
                        .get(0);
        var shown =
                given().header("X-API-Key", server.apiKey())
                        .get(
                                server.api()
                                        + "/api/v1/projects/"
                                        + project
                                        + "/snapshots/"
                                        + snapshot
                                        + "/files/content?path=/home/user/kept");
        assertThat(shown.asString()).isEqualTo("as before");
        return leavings.rows("select machine from peek").get(0);
    }

    /** A job that has to wait for a row, so that it is under way at the kill. */
    private static String beginsToRead(Snapshots rows) throws Exception {
        rows.save(2, "now() + interval '1 day'");
        rows.sql(
                "update snapshot set parts_checked_at = 'epoch' where project_id = '"
                        + rows.project()
                        + "'");
        rows.hold("select 1 from snapshot where project_id = '" + rows.project() + "' for update");
        var admin = new AdminClient(server);
        var order = Map.of("parameters", Map.of("unread", "P1D", "most", 2));
        var path = "/jobs/verify-parts/executions";
        var id = expect(202, admin.post(path, order)).getString("id");
        await(
                "the job is under way",
                () -> admin.get(path + "/" + id).jsonPath().getString("status"),
                "started"::equals);
        return id;
    }

    /** The next incarnation restarts what the one before it left in the middle. */
    private static void goesOnReading(Snapshots rows, String left) throws Exception {
        var admin = new AdminClient(server);
        var path = "/jobs/verify-parts/executions";
        await(
                "the job has gone on",
                () -> admin.get(path).jsonPath().getString("executions[0].status"),
                "completed"::equals);
        var died = expect(200, admin.get(path + "/" + left));
        assertThat(died.getString("status")).isEqualTo("failed");
        assertThat(died.getString("outcome"))
                .endsWith(
                        "execution "
                                + expect(200, admin.get(path)).getString("executions[0].id")
                                + " goes on");
        assertThat(rows.count("parts_state = 'MISSING'")).isEqualTo(2);
        rows.close();
    }

    /**
     * One's time came, one's row had ended, one's machine died; the rest goes on. And what was
     * being pinned, held, deleted or brought back is so or is not.
     */
    @Test
    @Tag("F5")
    @Tag("R85")
    @Tag("F11")
    @Tag("F22")
    void putsRightWhatChangedWhileTheServerWasAway() throws Exception {
        var unowned = client.create("base", LIFE);
        var dead = client.create("base", LIFE);
        var machine =
                leavings.rows("select machine_id from sandbox where id = '" + dead.id() + "'")
                        .get(0);
        var brief = client.create("base", Duration.ofSeconds(4));
        try (var busy = guards.busy()) {
            Thread.sleep(200 + RANDOM.nextInt(800));
            server.killHard();
        }
        try (var connection = DriverManager.getConnection(server.databaseUrl());
                var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "update sandbox set state = 'ENDED', ended_at = now(), end_reason = 'FAILED',"
                            + " ended_by = 'system' where id = '"
                            + unowned.id()
                            + "'");
        }
        leavings.killMachine(machine);
        Thread.sleep(4_000);
        comesBack();
        await("its time came", () -> client.info(brief.id()), found -> found.isEmpty());
        await("its machine died", () -> client.info(dead.id()), found -> found.isEmpty());
        assertThat(leavings.rows("select end_reason from sandbox where id = '" + brief.id() + "'"))
                .singleElement()
                .asString()
                .containsIgnoringCase("timeout");
        assertNothingIsLost();
        assertThat(client.must(veteran, "echo lives")).isEqualTo("lives\n");
        guards.assertWhole("killed among others");
        guards.assertChainIsWhole();
    }

    /** Each takes the better part of a minute. */
    static IntStream rounds() {
        int most = Math.max(1, Integer.getInteger("holdfast.repeat", 2) / 2);
        return IntStream.rangeClosed(1, Math.min(10, most));
    }

    /** The moment is drawn over the whole length of a capture and a little past its end. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F8")
    @Tag("F9")
    @Tag("F22")
    void survivesAKillInTheMiddleOfACapture(int round) throws Exception {
        long moment = RANDOM.nextLong(captureTime.toMillis() * 5 / 4);
        var name = "crash-" + round + "-" + Long.toHexString(RANDOM.nextLong());
        var answer = client.snapshotAsync(veteran, name);
        Thread.sleep(moment);
        server.killHard();
        comesBack();

        var told = "killed after " + moment + " ms of about " + captureTime.toMillis();
        await(
                told + ": no capture is under way any more",
                () -> leavings.rows("select id::text from snapshot where state = 'UPLOADING'"),
                List::isEmpty);
        await(
                told + ": the source is running",
                () -> client.lifecycleState(veteran.id()),
                "RUNNING"::equals);
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            assertThat(answer.join().statusCode()).as(told).isEqualTo(201);
            assertThat(client.snapshots())
                    .as(told + ": what was answered 201 is there")
                    .contains(E2bClient.snapshot(answer.join().body()));
        }
        assertThat(client.processes(veteran)).contains(veteranCounter);
        assertCounts(veteran);
        assertEverySavedSnapshotRestores();

        // Its name is free exactly when there is no snapshot of that name.
        boolean saved =
                client.snapshots().stream().anyMatch(s -> s.names().toString().contains(name));
        if (saved) {
            assertThatThrownBy(() -> client.snapshot(veteran, name)).hasMessageContaining("409");
        } else {
            client.snapshot(veteran, name);
        }
        assertEverySavedSnapshotRestores();
        assertNothingIsLost();
    }

    @Test
    @Tag("F3")
    @Tag("R165")
    void keepsWhatIsPausedOrOnItsWayOverAKill() throws Exception {
        var kept = client.create("base", LIFE);
        var returning = client.create("base", LIFE);
        var leaving = client.create("base", LIFE);
        for (var each : List.of(kept, returning, leaving)) {
            startCounter(each);
        }
        client.pause(kept);
        client.pause(returning);
        var place = new InPlace();
        long moment = RANDOM.nextLong(InPlace.LONGEST.toMillis());
        place.begin();
        Thread.sleep(Math.max(0, moment - 400));
        var resume = client.ask(returning.id(), "connect", Map.of());
        var pause = client.ask(leaving.id(), "pause", Map.of());
        Thread.sleep(Math.min(moment, RANDOM.nextInt(400)));
        server.killHard();
        comesBack();
        place.assertWhole("killed after about " + moment + " ms");
        assertThat(client.lifecycleState(kept.id())).isEqualTo("PAUSED");
        client.resume(kept, LIFE);
        assertCounts(kept);
        assertIsPausedOrRuns(returning, "killed on its way back: " + resume.isDone());
        assertIsPausedOrRuns(leaving, "killed while it was paused: " + pause.isDone());
        for (var each : List.of(kept, returning, leaving)) {
            assertThat(client.kill(each.id())).isTrue();
        }
        assertNothingIsLost();
    }

    private static void assertIsPausedOrRuns(Sandbox sandbox, String told) throws Exception {
        await(
                "it runs or is paused; " + told,
                () -> client.lifecycleState(sandbox.id()),
                state -> state.equals("PAUSED") || state.equals("RUNNING"));
        client.ask(sandbox.id(), "connect", Map.of()).join();
        assertCounts(sandbox);
    }

    /** The usual run has one of each above; where every test is given its time, there are many. */
    static IntStream furtherRounds() {
        int most = Integer.getInteger("holdfast.repeat", 2);
        return IntStream.rangeClosed(1, most > 4 ? most : 0);
    }

    /**
     * The moment is drawn over the keeping of the state before and the start of the other, and past
     * both, while snapshots are pinned, held, deleted and brought back.
     */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("furtherRounds")
    @Tag("R85")
    @Tag("R161")
    @Tag("F3")
    @Tag("F11")
    @Tag("F22")
    void pinsHoldsTheTrashAndARestoreInPlaceOutliveAKillAtAnyMoment(int round) throws Exception {
        var place = new InPlace();
        long moment = RANDOM.nextLong(InPlace.LONGEST.toMillis());
        try (var busy = guards.busy()) {
            Thread.sleep(RANDOM.nextLong(InPlace.LONGEST.toMillis()));
            place.begin();
            Thread.sleep(moment);
            server.killHard();
        }
        comesBack();
        var told = "round " + round + ", killed after " + moment + " ms";
        guards.assertWhole(told);
        place.assertWhole(told);
        assertNothingIsLost();
        if (round % 10 == 0) {
            guards.assertChainIsWhole();
        }
    }

    /** A sandbox that is restored in place while the server dies. */
    private static final class InPlace {

        private static final Duration LONGEST = Duration.ofMillis(1_800);

        private final Sandbox sandbox = client.create("base", LIFE);
        private final String target;
        private final int counter;
        private CompletableFuture<Response> answer;

        InPlace() throws Exception {
            counter = startCounter(sandbox);
            client.write(sandbox, STATE, "first");
            target = client.snapshot(sandbox).id();
            client.write(sandbox, STATE, "second");
        }

        void begin() throws Exception {
            var api = new NativeClient(server);
            answer =
                    CompletableFuture.supplyAsync(
                            () ->
                                    api.post(
                                            "/sandboxes/" + sandbox.id() + "/restore",
                                            Map.of("snapshotId", target)));
        }

        /** It has one of its two states whole, and if that is the other's, the state before too. */
        void assertWhole(String told) throws Exception {
            var state =
                    await(
                            told,
                            () -> client.lifecycleState(sandbox.id()),
                            seen -> seen.equals("PAUSED") || seen.equals("RUNNING"));
            client.ask(sandbox.id(), "connect", Map.of("timeout", LIFE.toSeconds())).join();
            await(told, () -> client.must(sandbox, "echo back"), "back\n"::equals);
            assertThat(client.processes(sandbox)).as(told).contains(counter);
            assertCounts(sandbox);
            var has = client.read(sandbox, STATE);
            assertThat(has).as(told + ", then " + state).isIn("first", "second");
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                assertThat(answer.join().statusCode()).as(told).isEqualTo(200);
                assertThat(has).as(told).isEqualTo("first");
            }
            var kept =
                    leavings.rows(
                            "select id::text from snapshot where kind = 'AUTO' and state = 'SAVED'"
                                    + " and source_sandbox_id = '"
                                    + sandbox.id()
                                    + "'");
            if (has.equals("first")) {
                assertThat(kept).as(told).hasSize(1);
            }
            for (var before : kept) {
                assertRestores(before);
            }
            assertThat(
                            leavings.rows(
                                    "select snapshot_id::text from sandbox where id = '"
                                            + sandbox.id()
                                            + "'"))
                    .as(told + ": it hangs on what it runs from")
                    .isEqualTo(
                            has.equals("first")
                                    ? List.of(target)
                                    : kept.isEmpty() ? Collections.singletonList(null) : kept);
            assertThat(client.kill(sandbox.id())).isTrue();
            kept.forEach(client::deleteSnapshot);
            assertThat(client.deleteSnapshot(target)).as(told).isTrue();
        }
    }

    /** The moment is drawn over the whole length of a pause and a little past its end. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("F1")
    @Tag("F3")
    @Tag("F22")
    void survivesAKillInTheMiddleOfAPause(int round) throws Exception {
        assumeTrue(Integer.getInteger("holdfast.repeat", 2) > 2, "shown beside what is paused");
        long moment = RANDOM.nextLong(captureTime.toMillis() * 5 / 4);
        var told = "killed after " + moment + " ms of about " + captureTime.toMillis();
        var answer = client.ask(veteran.id(), "pause", Map.of());
        Thread.sleep(moment);
        server.killHard();
        server.restart();

        await(
                told + ": it is paused, or runs as before",
                () -> client.lifecycleState(veteran.id()),
                state -> state.equals("PAUSED") || state.equals("RUNNING"));
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            assertThat(answer.join().statusCode()).as(told).isEqualTo(204);
            assertThat(client.lifecycleState(veteran.id())).as(told).isEqualTo("PAUSED");
        }
        client.ask(veteran.id(), "connect", Map.of("timeout", LIFE.toSeconds())).join();
        await(told, () -> client.must(veteran, "echo back"), "back\n"::equals);
        assertThat(client.processes(veteran)).contains(veteranCounter);
        assertCounts(veteran);
        assertNothingIsLost();
    }

    private static void comesBack() throws Exception {
        server.restart();
        await(
                "the server has what it ran before",
                () -> client.must(veteran, "echo back"),
                "back\n"::equals);
    }

    private static void assertEverySavedSnapshotRestores() throws Exception {
        for (var snapshot :
                leavings.rows(
                        "select id::text from snapshot where state = 'SAVED' and kind in"
                                + " ('SNAPSHOT', 'AUTO')")) {
            if (proven.add(snapshot)) {
                assertRestores(snapshot);
            }
        }
    }

    private static void assertRestores(String snapshot) throws Exception {
        var clone = client.create(snapshot, LIFE);
        try {
            assertCounts(clone);
        } finally {
            client.kill(clone.id());
        }
    }

    /**
     * The counter goes on, and its file has every number once: memory and file are of one moment.
     */
    private static void assertCounts(Sandbox sandbox) throws Exception {
        int seen = ticks(sandbox);
        await("the counter goes on", () -> ticks(sandbox), number -> number > seen);
    }

    private static int ticks(Sandbox sandbox) {
        var text = client.read(sandbox, "/home/user/ticks");
        var lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).as("tick " + (i + 1)).isEqualTo(Integer.toString(i + 1));
        }
        return lines.size();
    }

    private static int startCounter(Sandbox sandbox) throws Exception {
        client.write(sandbox, "/home/user/counter.py", COUNTER);
        int pid = client.startInBackground(sandbox, "exec python3 /home/user/counter.py");
        client.must(sandbox, "until [ -s ticks ]; do sleep 0.05; done");
        return pid;
    }

    private static void assertNothingIsLost() throws Exception {
        leavings.assertNoCaptureIsStalled();
        leavings.assertEveryObjectIsOwned();
        await(
                "machines and rows agree",
                () -> {
                    leavings.assertEveryMachineIsOwned();
                    return true;
                },
                agree -> agree);
    }
}
