package dev.holdfast.capture;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bRefusal;
import dev.holdfast.operator.Scrape;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Management;
import dev.holdfast.run.Options;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.telemetry.LogFormat;
import dev.holdfast.telemetry.Receiver;
import dev.holdfast.telemetry.Receiver.Told;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults made for real: full disks, changed and lost parts, a runtime that fails or hangs, a
 * database and a queue that go and come back, a worker that is not heard of. The server is one of
 * its own: store and capture space lie on small file systems, and its host is given a newer runtime
 * build after its first start.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {

    private static final Duration LIFE = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** As much as the first start may take. */
    private static final Duration TO_START = Duration.ofMinutes(10);

    private static final int PORT_OFFSET = 600;
    private static final int TIMES = 5;

    /** Less than a compressed image of the smallest sandbox, and less than a raw one. */
    private static final Map<String, Long> LEFT = Map.of("store", 256L << 10, "space", 4L << 20);

    /** The newer build: it runs like the older one, unless a file tells it to fail or to hang. */
    private static final String WRAPPER =
            """
            #!/bin/sh
            for word in "$@"; do
                case $word in checkpoint | restore) verb=$word ;; esac
            done
            if [ -n "$verb" ] && [ -e %1$s/$verb.fail ]; then
                echo "$verb was told to fail" >&2
                exit 1
            fi
            if [ -n "$verb" ] && [ -e %1$s/$verb.hang ]; then
                sleep 600
            fi
            exec %2$s "$@"
            """;

    private static LocalServer server;
    private static Receiver collector;
    private static E2bClient client;
    private static Management management;
    private static Leavings leavings;
    private static Path home;
    private static Path orders;

    /** Of before the upgrade: a sandbox that goes on, and what was captured of it. */
    private static Sandbox veteran;

    private static String old;
    private static String formerBuild;
    private static final List<Path> ballast = new ArrayList<>();

    @BeforeAll
    static void starts() throws Exception {
        collector = new Receiver();
        var options = options();
        home = options.home();
        unmountAll();
        server = LocalServer.of(options).forget();
        orders = Files.createDirectories(home.resolve("orders"));
        mount("store");
        mount("space");
        var runtime = Files.createDirectories(home.resolve("cache/runtime"));
        Files.createSymbolicLink(
                home.resolve("cache/template"), options.cache().resolve("template"));
        Files.createSymbolicLink(
                runtime.resolve("current"), options.cache().resolve("runtime/current"));
        server.start();
        client = new E2bClient(server.api(), server.apiKey());
        leavings = new Leavings(home, server.databaseUrl());
        veteran = client.create("base", LIFE);
        client.write(veteran, "/home/user/kept", "of the old build");
        old = client.snapshot(veteran).id();
        formerBuild = row("select runtime_id from snapshot where id = '" + old + "'");
        upgrade(runtime);
        management = new Management(server);
    }

    /** The host's package is upgraded, and the server is started again some time later. */
    private static void upgrade(Path runtime) throws Exception {
        var before = runtime.resolve("current").resolve("runsc").toRealPath();
        var newer = Files.createDirectory(runtime.resolve("newer"));
        var build = Files.writeString(newer.resolve("runsc"), WRAPPER.formatted(orders, before));
        Files.setPosixFilePermissions(build, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.delete(runtime.resolve("current"));
        Files.createSymbolicLink(runtime.resolve("current"), newer);
        server.killHard();
        server.restart();
        await("it goes on", () -> client.must(veteran, "echo on"), "on\n"::equals);
    }

    @AfterEach
    void takesTheFaultsAway() throws Exception {
        clearOrders();
        makeRoom();
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (server == null) {
            return;
        }
        var instance = leavings == null ? null : leavings.instance();
        if (management != null) {
            management.close();
        }
        collector.close();
        server.stop();
        server.keepConsole(Path.of("target", "server-log-faults"));
        unmountAll();
        if (instance != null) {
            Leavings.assertNothing(home, instance);
        }
        server.erase();
    }

    /** One in the usual run; each takes seconds. */
    static IntStream rounds() {
        return IntStream.rangeClosed(1, Math.max(1, Integer.getInteger("holdfast.repeat", 2) / 5));
    }

    /** First, because afterwards the collector is gone as well. */
    @Test
    @Order(1)
    void tellsOneTraceOfACaptureFromTheCallThroughTheQueueToTheWorkersThreads() throws Exception {
        var source = small();
        var trace = UUID.randomUUID().toString().replace("-", "");
        var request =
                HttpRequest.newBuilder(
                                server.api().resolve("/sandboxes/" + source.id() + "/snapshots"))
                        .timeout(PATIENCE)
                        .header("X-API-Key", server.apiKey())
                        .header("Content-Type", "application/json")
                        .header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
                        .POST(BodyPublishers.ofString("{}"))
                        .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        var snapshot = E2bClient.snapshot(answer.body()).id();

        var names =
                List.of(
                        "POST /sandboxes/{id}/snapshots",
                        "send holdfast.capture",
                        "process holdfast.capture",
                        "capture",
                        "freeze",
                        "seal",
                        "store part");
        var told =
                await(
                        "all are told",
                        () -> collector.ofTrace(trace),
                        spans -> spans.stream().map(Told::name).toList().containsAll(names));
        var call = only(told, names.get(0));
        assertThat(call.parent()).isEqualTo("00f067aa0ba902b7");
        assertThat(call.attribute("http.response.status_code")).isEqualTo("201");
        var sent = only(told, "send holdfast.capture");
        var taken = only(told, "process holdfast.capture");
        var capture = only(told, "capture");
        var seal = only(told, "seal");
        assertThat(sent.parent()).isEqualTo(call.id());
        assertThat(taken.parent()).isEqualTo(sent.id());
        assertThat(capture.parent()).isEqualTo(taken.id());
        assertThat(only(told, "freeze").parent()).isEqualTo(capture.id());
        assertThat(seal.parent()).isEqualTo(capture.id());
        assertThat(told.stream().filter(each -> each.name().equals("store part")))
                .hasSizeGreaterThan(1)
                .allSatisfy(part -> assertThat(part.parent()).isEqualTo(seal.id()));
        assertThat(told)
                .allSatisfy(
                        each -> {
                            assertThat(each.service()).isEqualTo("holdfast");
                            assertThat(each.node()).isEqualTo("worker-1");
                            assertThat(each.attribute("holdfast.sandbox")).isEqualTo(source.id());
                            assertThat(each.attribute("holdfast.requestId"))
                                    .isEqualTo(answer.headers().firstValue("X-Request-Id").get());
                        });
        assertThat(call.attribute("holdfast.upload"))
                .isNotBlank()
                .isEqualTo(capture.attribute("holdfast.upload"));
        assertThat(collector.told()).extracting(Told::name).contains("process holdfast.runtime");

        collector.close();
        client.deleteSnapshot(snapshot);
        assertUsable(source);
    }

    private static Told only(List<Told> told, String name) {
        var found = told.stream().filter(each -> each.name().equals(name)).toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    /** As the host is, so is the console. */
    @Test
    void writesItsConsoleForWhoeverReadsItHere() throws Exception {
        var format =
                LogFormat.of(
                        name -> String.valueOf(System.getenv().getOrDefault(name, "")),
                        Files::exists);
        try (var lines = Files.lines(server.console())) {
            assertThat(lines.filter(line -> line.contains("WFLYSRV0025")))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("{") == (format == LogFormat.JSON));
        }
    }

    @Test
    @Tag("R70")
    @Tag("F23")
    void restoresWithTheBuildThatWroteASnapshotAfterAnUpgrade() throws Exception {
        var newest = row("select runtime_id from worker where id = 'worker-1'");
        assertThat(newest).isNotEqualTo(formerBuild);
        assertThat(buildOf(veteran)).as("it was adopted").isEqualTo(formerBuild);

        var clone = client.create(old, LIFE);
        assertThat(client.read(clone, "/home/user/kept")).isEqualTo("of the old build");
        assertThat(buildOf(clone)).isEqualTo(formerBuild);
        var again = client.snapshot(clone).id();
        assertThat(buildOfSnapshot(again)).isEqualTo(formerBuild);

        var fresh = client.create("base", LIFE);
        assertThat(buildOf(fresh)).isEqualTo(newest);
        var present = client.snapshot(fresh).id();
        assertThat(buildOfSnapshot(present)).isEqualTo(newest);
        var presentClone = client.create(present, LIFE);
        assertThat(buildOf(presentClone)).isEqualTo(newest);

        management.job("purge-blobs", Map.of("grace", "PT0S"));
        assertThat(home.resolve("store/runtimes").resolve(formerBuild)).exists();
        assertThat(home.resolve("store/runtimes").resolve(newest)).exists();

        for (var each : List.of(clone, fresh, presentClone)) {
            client.kill(each.id());
        }
        for (var each : List.of(again, present)) {
            assertThat(client.deleteSnapshot(each)).isTrue();
        }
        // A copy that is lost is fetched again, by its digest.
        Files.delete(home.resolve("space/runtimes").resolve(newest));
        var later = client.create("base", LIFE);
        assertThat(client.must(later, "echo starts")).isEqualTo("starts\n");
        client.kill(later.id());
        assertNothingIsLost();
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F8")
    void failsACaptureWhenTheDiskIsFullAtTheCheckpoint(int round) throws Exception {
        var source = small();
        fill("space");

        assertFails(source, "disk is full");

        makeRoom();
        assertUsable(source);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F8")
    void failsACaptureWhenTheStoreIsFullAtTheSealing(int round) throws Exception {
        var source = small();
        fill("store");

        assertFails(source, "full");

        makeRoom();
        assertUsable(source);
    }

    /** Every part finds its place, and the manifest none. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F22")
    void failsACaptureWhenTheStoreIsFullAtTheManifest(int round) throws Exception {
        var source = small();
        var sample = client.snapshot(source).id();
        int parts = (int) files(home.resolve("store/snapshots").resolve(sample)) - 1;
        leaveInodes("store", parts + 1);

        assertFails(source, "full");

        assertThat(leavings.rows("select phase from snapshot where state = 'CLEANUP_PENDING'"))
                .isNotEmpty();
        makeRoom();
        assertUsable(source);
        client.deleteSnapshot(sample);
    }

    @Test
    @Tag("R161")
    @Tag("F3")
    void refusesARestoreWhenTheDiskIsFullAtTheFetch() throws Exception {
        delete(home.resolve("space/images").resolve(old));
        fill("space");

        assertThatThrownBy(() -> client.create(old, LIFE))
                .isInstanceOf(E2bRefusal.class)
                .hasMessageContaining("full");

        makeRoom();
        assertThat(row("select parts_state from snapshot where id = '" + old + "'"))
                .isEqualTo("COMPLETE");
        assertRestores(old);
        assertNothingIsLost();
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F8")
    void failsACaptureWhenTheRuntimeFails(int round) throws Exception {
        var source = small();
        double before = failures("failed");
        order("checkpoint.fail");

        assertFails(source, "its machine failed");
        assertThat(failures("failed")).as("failures counted").isGreaterThan(before);

        clearOrders();
        assertUsable(source);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F9")
    void failsACaptureWhenTheRuntimeHangs(int round) throws Exception {
        var source = small();
        double before = failures("late");
        order("checkpoint.hang");

        assertFails(source, "did not finish in time");
        assertThat(failures("late")).as("failures counted").isGreaterThan(before);

        clearOrders();
        assertUsable(source);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("F3")
    @Tag("F23")
    void leavesNoHalfMadeSandboxWhenTheRuntimeFailsOrHangsAtARestore(int round) throws Exception {
        var source = small();
        var snapshot = client.snapshot(source).id();
        for (var how : Map.of("fail", "its machine failed", "hang", "in time").entrySet()) {
            order("restore." + how.getKey());

            assertThatThrownBy(() -> client.create(snapshot, LIFE))
                    .isInstanceOf(E2bRefusal.class)
                    .hasMessageContaining("start_failed")
                    .hasMessageContaining(how.getValue());

            clearOrders();
            assertNothingIsLost();
            assertThat(row("select parts_state from snapshot where id = '" + snapshot + "'"))
                    .isEqualTo("COMPLETE");
            assertRestores(snapshot);
        }
        assertThat(client.kill(source.id())).isTrue();
        assertThat(client.deleteSnapshot(snapshot)).as("nothing occupies it").isTrue();
        assertNothingIsLost();
    }

    /** What is stored is changed in three ways, and the copy that the worker kept is lost. */
    @Test
    @Tag("F18")
    @Tag("F21")
    @Tag("R161")
    void refusesToRestoreWhatIsNotWhole() throws Exception {
        var source = small();
        var whole = client.snapshot(source).id();
        Map<String, Damage> damages =
                Map.of(
                        "truncated",
                        file -> truncate(file, Files.size(file) / 2),
                        "flipped",
                        file -> {
                            byte[] bytes = Files.readAllBytes(file);
                            bytes[bytes.length / 3] ^= 4;
                            Files.write(file, bytes);
                        },
                        "unreadable",
                        file -> {
                            Files.delete(file);
                            Files.createDirectory(file);
                        });
        for (var damage : damages.entrySet()) {
            var snapshot = client.snapshot(source).id();
            var part = home.resolve("store/snapshots").resolve(snapshot).resolve("pages.img");
            damage.getValue().to(part);
            // It is kept a moment after the snapshot is there.
            var kept = home.resolve("space/images").resolve(snapshot);
            await("the worker has its copy", () -> Files.isDirectory(kept), found -> found);
            delete(kept);
            var state = damage.getKey().equals("unreadable") ? "MISSING" : "CORRUPT";

            assertThatThrownBy(() -> client.create(snapshot, LIFE))
                    .as(damage.getKey())
                    .isInstanceOf(E2bRefusal.class)
                    .hasMessageContaining("a stored part of the snapshot is");

            assertThat(row("select parts_state from snapshot where id = '" + snapshot + "'"))
                    .as(damage.getKey())
                    .isEqualTo(state);
            assertThatThrownBy(() -> client.create(snapshot, LIFE))
                    .as("refused at once: " + damage.getKey())
                    .isInstanceOfSatisfying(
                            E2bRefusal.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(409));
            assertNothingIsLost();
            assertRestores(whole);
            if (Files.isDirectory(part)) {
                Files.delete(part);
            }
            assertThat(client.deleteSnapshot(snapshot)).isTrue();
        }
        assertThat(client.kill(source.id())).isTrue();
        client.deleteSnapshot(whole);
        assertNothingIsLost();
    }

    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("F8")
    @Tag("F9")
    void survivesADatabaseThatGoesInTheMiddleOfACapture(int round) throws Exception {
        var source = large();
        var waiting = small();
        var answer = client.snapshotAsync(source, null);
        await("it is taken", () -> isTaken(source), taken -> taken);
        management.pauseQueue("holdfast.capture", true);
        var late = client.snapshotAsync(waiting, "late");
        await("it waits", () -> client.lifecycleState(waiting.id()), "SNAPSHOTTING"::equals);

        server.stopDatabase();
        // Who takes the request now can neither do the capture nor say that he could not.
        management.pauseQueue("holdfast.capture", false);
        await("it is a dead letter", () -> management.messages("holdfast.capture"), n -> n == 0);
        assertDatabaseIsDown();
        assertThat(health("live").statusCode()).as("no reason to start it again").isEqualTo(200);
        assertSaysThatItIsAway(client.snapshotAsync(waiting, "refused").join().body());
        var nowhere = new Sandbox(SandboxId.random().value(), "none");
        assertThatThrownBy(() -> client.read(nowhere, "/etc/hostname"))
                .isInstanceOfSatisfying(
                        E2bRefusal.class, refusal -> assertSaysThatItIsAway(refusal.body()));
        assertThat(client.must(veteran, "echo runs")).isEqualTo("runs\n");
        server.startDatabase();
        await("it is ready", () -> health("ready").statusCode(), status -> status == 200);

        await(
                "no capture is under way",
                () -> leavings.rows("select id::text from snapshot where state = 'UPLOADING'"),
                List::isEmpty);
        settled(answer);
        settled(late);
        await("it runs", () -> client.lifecycleState(source.id()), "RUNNING"::equals);
        assertThat(client.lifecycleState(waiting.id())).isEqualTo("RUNNING");
        // The timers of the jobs have outlived the outage as well.
        execute("update snapshot set cleanup_after = now() where state = 'CLEANUP_PENDING'");
        await(
                "its objects are gone",
                () ->
                        leavings.rows(
                                "select id::text from snapshot where state = 'CLEANUP_PENDING'"),
                List::isEmpty);
        for (var saved :
                leavings.rows(
                        "select id::text from snapshot where state = 'SAVED'"
                                + " and source_sandbox_id in ('"
                                + source.id()
                                + "', '"
                                + waiting.id()
                                + "')")) {
            assertRestores(saved);
            client.deleteSnapshot(saved);
        }
        client.deleteSnapshot(client.snapshot(waiting, "late").id());
        assertThat(client.kill(waiting.id())).isTrue();
        assertUsable(source);
        assertThat(client.must(veteran, "echo on")).isEqualTo("on\n");
    }

    /**
     * The broker stops under the running server, and comes back by a reload. Nothing of us runs
     * without it, and what runs here ends as at every orderly stop of a worker: so only the stop
     * comes after it. One capture hangs in its checkpoint, one is being stored, and the request of
     * a third has not been delivered.
     */
    @ParameterizedTest
    @MethodSource("rounds")
    @Order(Integer.MAX_VALUE - 1)
    @Tag("R161")
    @Tag("F8")
    @Tag("F9")
    @Tag("F10")
    void survivesABrokerThatGoesInTheMiddleOfCaptures(int round) throws Exception {
        assumeTrue(
                Integer.getInteger("holdfast.repeat", 2) >= 10,
                "a minute and a half: in full runs");
        var sealing = large();
        var hanging = small();
        var waiting = small();
        order("checkpoint.hang");
        var hung = client.snapshotAsync(hanging, "hung");
        await("its checkpoint hangs", FaultsIT::isCheckpointing, hangs -> hangs);
        clearOrders();
        var sealed = client.snapshotAsync(sealing, "sealed");
        await("it is taken", () -> isTaken(sealing), taken -> taken);
        management.pauseQueue("holdfast.capture", true);
        var undelivered = client.snapshotAsync(waiting, "undelivered");
        await("it waits", () -> client.lifecycleState(waiting.id()), "SNAPSHOTTING"::equals);

        management.stopBroker();
        reload();

        settled(hung);
        settled(sealed);
        settled(undelivered);
        for (var each : List.of(sealing, hanging, waiting)) {
            assertThat(client.info(each.id())).isEmpty();
            assertThat(row("select end_reason from sandbox where id = '" + each.id() + "'"))
                    .isEqualTo("WORKER_STOPPED");
        }
        for (var name : List.of("hung", "undelivered")) {
            await(
                    "why " + name + " came to nothing",
                    () -> row("select failure from snapshot where short_name = '" + name + "'"),
                    why -> why != null && !why.isBlank());
        }
        await(
                "it is over",
                () -> row("select state from snapshot where short_name = 'sealed'"),
                state -> !state.equals("UPLOADING"));
        for (var queue : List.of("holdfast.capture", "holdfast.runtime", "DLQ")) {
            await("nobody waits in " + queue, () -> management.messages(queue), left -> left == 0);
        }
        for (var saved :
                leavings.rows(
                        "select id::text from snapshot where state = 'SAVED'"
                                + " and short_name = 'sealed'")) {
            assertRestores(saved);
            assertThat(client.deleteSnapshot(saved)).isTrue();
        }
        assertThat(
                        leavings.rows(
                                "select short_name from snapshot where name_held"
                                        + " and short_name in ('hung', 'sealed', 'undelivered')"))
                .as("who holds a name")
                .isEmpty();
        assertUsable(small());
    }

    @Test
    @Tag("R161")
    @Tag("F9")
    void goesOnWithACaptureWhoseQueueStoodStill() throws Exception {
        var source = small();
        management.pauseQueue("holdfast.capture", true);
        CompletableFuture<HttpResponse<String>> answer;
        try {
            answer = client.snapshotAsync(source, null);
            await("it waits", () -> client.lifecycleState(source.id()), "SNAPSHOTTING"::equals);
            assertThat(client.askToKill(source.id()).join().statusCode()).isEqualTo(409);
            assertThat(client.must(source, "echo on")).isEqualTo("on\n");
        } finally {
            management.pauseQueue("holdfast.capture", false);
        }
        var told = answer.get(60, TimeUnit.SECONDS);
        assertThat(told.statusCode()).isEqualTo(201);
        var snapshot = E2bClient.snapshot(told.body()).id();
        assertRestores(snapshot);
        client.deleteSnapshot(snapshot);
        assertUsable(source);
    }

    @Test
    @Tag("R161")
    @Tag("F9")
    @Tag("F10")
    void failsACaptureThatNobodyTookByItsDeadline() throws Exception {
        var source = small();
        management.pauseQueue("holdfast.capture", true);
        try {
            var answer = client.snapshotAsync(source, "never");
            await("it waits", () -> client.lifecycleState(source.id()), "SNAPSHOTTING"::equals);
            execute(
                    "update snapshot set deadline_at = now() where state = 'UPLOADING'"
                            + " and source_sandbox_id = '"
                            + source.id()
                            + "'");
            management.job("reap-stalled-captures", Map.of());
            assertFailed(answer.get(60, TimeUnit.SECONDS), "deadline");
            assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        } finally {
            management.pauseQueue("holdfast.capture", false);
        }
        // The request comes late and does nothing; the name is free.
        var snapshot = client.snapshot(source, "never").id();
        client.deleteSnapshot(snapshot);
        assertUsable(source);
    }

    /** The capture of a worker whose lease is over, as the others see it; nobody has to ask. */
    @Test
    @Tag("R161")
    @Tag("F8")
    @Tag("F20")
    void failsTheCapturesOfAWorkerThatIsNotHeardOf() throws Exception {
        var source = small();
        management.pauseQueue("holdfast.capture", true);
        try {
            execute(
                    "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                            + " started_at, missing) values ('lost-worker', 'gvisor systrap', 'amd64',"
                            + " 1, now() - interval '31 s', now(), 'it is not heard of')");
            var answer = client.snapshotAsync(source, null);
            await("it waits", () -> client.lifecycleState(source.id()), "SNAPSHOTTING"::equals);
            execute(
                    "update snapshot set worker_id = 'lost-worker' where state = 'UPLOADING'"
                            + " and source_sandbox_id = '"
                            + source.id()
                            + "'");
            assertFailed(answer.get(60, TimeUnit.SECONDS), "cannot be reached");
            assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        } finally {
            management.pauseQueue("holdfast.capture", false);
        }
        assertUsable(source);
    }

    /** Whoever waits for a capture is told, and not cut off. */
    @Test
    @Order(Integer.MAX_VALUE)
    @Tag("R104")
    @Tag("R108")
    void tellsWhoeverWaitsThatTheServerStops() throws Exception {
        var source = small();
        management.pauseQueue("holdfast.capture", true);
        var answer = client.snapshotAsync(source, null);
        await("it waits", () -> client.lifecycleState(source.id()), "SNAPSHOTTING"::equals);

        server.stop();

        var told = answer.get(60, TimeUnit.SECONDS);
        assertThat(told.statusCode()).as(told.body()).isEqualTo(503);
        var problem = new JsonPath(told.body());
        assertThat(problem.getString("reason")).isEqualTo("server_stopping");
        assertThat(problem.getString("operation")).endsWith(problem.getString("uploadId"));
        assertThat(told.headers().firstValue("Retry-After")).contains("5");
    }

    /** Ready is nothing less than everything, and says what it is that is away. */
    private static void assertDatabaseIsDown() throws Exception {
        var ready =
                await(
                        "the database is down",
                        () -> health("ready"),
                        answer ->
                                answer.statusCode() == 503
                                        && check(answer, "database", "status").equals("DOWN"));
        assertThat(check(ready, "database", "data.why")).isNotBlank();
        for (var other : List.of("store", "broker")) {
            assertThat(check(ready, other, "status")).as(other).isEqualTo("UP");
        }
    }

    /** Each takes another of the connections that the database has closed meanwhile. */
    @Test
    @Tag("F8")
    void takesNothingForGoneBecauseAConnectionIsDead() throws Exception {
        var sleeping =
                client.open(
                        Map.of(
                                "templateID",
                                "base",
                                "timeout",
                                LIFE.toSeconds(),
                                "autoPause",
                                true,
                                "autoResume",
                                Map.of("enabled", true)));
        client.write(sleeping, "/home/user/kept", "as it was");
        List<Integer> refusals = new ArrayList<>();
        for (int round = 0; round < TIMES; round++) {
            client.pause(sleeping);
            leavings.rows(
                    "select pg_terminate_backend(pid)::text from pg_stat_activity"
                            + " where pid <> pg_backend_pid() and datname = current_database()");
            await(
                    "it wakes",
                    () -> {
                        try {
                            return client.read(sleeping, "/home/user/kept");
                        } catch (E2bRefusal refusal) {
                            refusals.add(refusal.status());
                            throw refusal;
                        }
                    },
                    "as it was"::equals);
        }
        assertThat(refusals).allMatch(status -> status == 503);
        assertThat(client.kill(sleeping.id())).isTrue();
    }

    /** The server itself answers then, and programs read its answers as those of the product. */
    @Test
    void answersInTheUsualFormWhileItStops() throws Exception {
        var source = small();
        management.suspend(true);
        try {
            var answer = client.snapshotAsync(source, null).join();
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
            var refusal = new JsonPath(answer.body());
            assertThat(refusal.getString("reason")).isEqualTo("server_stopping");
            assertThat(refusal.getString("message")).isNotBlank();
        } finally {
            management.suspend(false);
        }
        assertUsable(source);
    }

    private static void assertSaysThatItIsAway(String body) {
        var refusal = new JsonPath(body);
        assertThat(refusal.getInt("code")).as(body).isEqualTo(503);
        assertThat(refusal.getString("reason")).as(body).isEqualTo("temporarily_unavailable");
        assertThat(refusal.getString("message")).as(body).contains("database");
    }

    private static String check(HttpResponse<String> health, String name, String member) {
        return String.valueOf(
                new JsonPath(health.body())
                        .getString("checks.find { it.name == '" + name + "' }." + member));
    }

    private static HttpResponse<String> health(String kind) throws Exception {
        var request =
                HttpRequest.newBuilder(server.management().resolve("/health/" + kind))
                        .timeout(PATIENCE)
                        .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static boolean isTaken(Sandbox source) throws SQLException {
        return leavings.rows(
                                "select phase from snapshot where state = 'UPLOADING'"
                                        + " and phase <> 'ACCEPTED' and source_sandbox_id = '"
                                        + source.id()
                                        + "'")
                        .size()
                > 0;
    }

    private static boolean isCheckpointing() {
        return leavings.processes().stream().anyMatch(line -> line.contains(" checkpoint "));
    }

    private static void reload() throws Exception {
        var before = row("select started_at::text from worker where id = 'worker-1'");
        management.reload();
        await(
                "it is here again",
                TO_START,
                () -> row("select started_at::text from worker where id = 'worker-1'"),
                now -> !now.equals(before));
        await("it answers", TO_START, () -> client.sandboxes(), all -> true);
        management.close();
        management = new Management(server);
    }

    @FunctionalInterface
    private interface Damage {
        void to(Path file) throws IOException;
    }

    private static Sandbox small() throws Exception {
        var sandbox = client.create("base", LIFE);
        client.write(sandbox, "/home/user/kept", "of the new build");
        return sandbox;
    }

    /** One whose capture takes long enough to be disturbed. */
    private static Sandbox large() throws Exception {
        var sandbox = small();
        client.startInBackground(
                sandbox,
                "exec python3 -c 'import os, time; held = os.urandom(150 << 20); open(\"full\","
                        + " \"w\"); time.sleep(7200)'");
        client.must(sandbox, "until [ -e full ]; do sleep 0.1; done");
        return sandbox;
    }

    private static void assertFails(Sandbox source, String why) throws Exception {
        assertFailed(client.snapshotAsync(source, null).get(120, TimeUnit.SECONDS), why);
        assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        assertThat(client.must(source, "echo on")).as("while it lasts").isEqualTo("on\n");
    }

    private static void assertFailed(HttpResponse<String> answer, String why) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
        assertThat(new JsonPath(answer.body()).getString("reason"))
                .isIn("capture_failed", "capture_expired");
        assertThat(answer.body()).contains(why);
        assertThat(
                        leavings.rows(
                                "select failure from snapshot where state = 'CLEANUP_PENDING'"
                                        + " order by removed_at desc limit 1"))
                .singleElement()
                .asString()
                .contains(why);
    }

    /** After the fault: another capture works, the source can be killed, nothing is left. */
    private static void assertUsable(Sandbox source) throws Exception {
        assertThat(client.must(source, "echo on")).isEqualTo("on\n");
        assertCleansUp();
        var snapshot = client.snapshot(source).id();
        assertRestores(snapshot);
        assertThat(client.kill(source.id())).isTrue();
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
        assertNothingIsLost();
    }

    /** One run of the jobs, after those who may still ask were told. */
    private static void assertCleansUp() throws Exception {
        execute("update snapshot set cleanup_after = now() where state = 'CLEANUP_PENDING'");
        management.job("clean-up-objects", Map.of());
        assertThat(
                        leavings.rows(
                                "select id || ' ' || cleanup_error from snapshot"
                                        + " where state = 'CLEANUP_PENDING'"
                                        + " and cleanup_after <= now()"))
                .as("what awaits its clean-up")
                .isEmpty();
    }

    private static void assertRestores(String snapshot) throws Exception {
        var clone = client.create(snapshot, LIFE);
        assertThat(client.read(clone, "/home/user/kept")).startsWith("of the ");
        assertThat(client.kill(clone.id())).isTrue();
    }

    private static void assertNothingIsLost() throws Exception {
        assertCleansUp();
        leavings.assertNoCaptureIsStalled();
        leavings.assertEveryObjectIsOwned();
        assertThat(files(home.resolve("space/captures"))).as("checkpoints left behind").isZero();
        await(
                "machines and rows agree",
                () -> {
                    leavings.assertEveryMachineIsOwned();
                    return true;
                },
                agree -> agree);
    }

    /** How many checkpoints have failed so, as an operator's metrics have it. */
    private static double failures(String reason) throws Exception {
        return Scrape.take(server)
                .of(
                        "holdfast_runtime_failures_total",
                        "operation=\"checkpoint\"",
                        "reason=\"" + reason + "\"");
    }

    private static void settled(CompletableFuture<HttpResponse<String>> answer) throws Exception {
        assertThat(answer.handle((done, failure) -> true).get(60, TimeUnit.SECONDS)).isTrue();
    }

    private static String buildOf(Sandbox sandbox) throws SQLException {
        return row("select runtime_id from sandbox where id = '" + sandbox.id() + "'");
    }

    private static String buildOfSnapshot(String id) throws SQLException {
        return row("select runtime_id from snapshot where id = '" + id + "'");
    }

    private static String row(String query) throws SQLException {
        return leavings.rows(query).get(0);
    }

    private static void execute(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection(server.databaseUrl());
                var statements = connection.createStatement()) {
            statements.executeUpdate(statement);
        }
    }

    private static void order(String what) throws IOException {
        Files.createFile(orders.resolve(what));
    }

    private static void clearOrders() throws IOException {
        try (var files = Files.list(orders)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** Leaves less than any image needs. */
    private static void fill(String name) throws Exception {
        var file = home.resolve(name).resolve(".ballast");
        ballast.add(file);
        long room = Files.getFileStore(home.resolve(name)).getUsableSpace() - LEFT.get(name);
        command("fallocate", "-l", Long.toString(room), file.toString());
    }

    /** Leaves room for so many files and directories, whatever their size. */
    private static void leaveInodes(String name, int left) throws Exception {
        var directory = Files.createDirectory(home.resolve(name).resolve(".ballast"));
        ballast.add(directory);
        long free =
                Long.parseLong(
                        command("stat", "-f", "-c", "%d", home.resolve(name).toString()).strip());
        for (long i = left; i < free; i++) {
            Files.createFile(directory.resolve(Long.toString(i)));
        }
    }

    private static void makeRoom() throws IOException {
        for (var each : ballast) {
            delete(each);
        }
        ballast.clear();
    }

    private static void mount(String name) throws Exception {
        var image = home.resolve(name + ".ext4");
        var place = Files.createDirectories(home.resolve(name));
        command("truncate", "-s", "2G", image.toString());
        command("mkfs.ext4", "-q", "-m", "0", "-N", "512", image.toString());
        command("mount", "-o", "loop", image.toString(), place.toString());
        delete(place.resolve("lost+found"));
    }

    private static void unmountAll() throws Exception {
        for (var name : List.of("store", "space")) {
            if (Files.isDirectory(home.resolve(name), LinkOption.NOFOLLOW_LINKS)
                    && command("stat", "-f", "-c", "%T", home.resolve(name).toString())
                            .contains("ext")
                    && isMountPoint(home.resolve(name))) {
                command("umount", home.resolve(name).toString());
            }
        }
    }

    private static boolean isMountPoint(Path place) throws IOException {
        try (var mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return mounts.anyMatch(line -> line.split(" ")[4].equals(place.toString()));
        }
    }

    private static String command(String... line) throws Exception {
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", line) + ": " + said);
        }
        return said;
    }

    private static void truncate(Path file, long size) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private static long files(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.count();
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var files = Files.walk(tree)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Options options() {
        var home = Options.besideHome("faults");
        return Options.beside(
                "faults",
                PORT_OFFSET,
                Map.of(
                        "HOLDFAST_CACHE",
                        home.resolve("cache").toString(),
                        "HOLDFAST_STORAGE_CACHE",
                        home.resolve("space").toString(),
                        "HOLDFAST_TELEMETRY_ENDPOINT",
                        collector.address().toString(),
                        "HOLDFAST_EXPIRY_CLEAN_UP_OBJECTS",
                        "*/5 * *",
                        "HOLDFAST_RUNTIME_DEADLINE",
                        "PT7S"));
    }
}
