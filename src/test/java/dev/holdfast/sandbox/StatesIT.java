package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each operation answers in each state, and what is left after many at once. */
class StatesIT {

    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final RandomGenerator RANDOM = RandomGenerator.getDefault();

    private static E2bClient client;

    private final List<Sandbox> opened = new ArrayList<>();

    @BeforeAll
    static void connects() {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
    }

    @AfterEach
    void endsWhatItOpened() throws Exception {
        for (var sandbox : opened) {
            answer(client.askToKill(sandbox.id()));
        }
    }

    @Test
    @Tag("R94")
    @Tag("R95")
    @Tag("R97")
    @Tag("R168")
    void answersWhileItIsPaused() throws Exception {
        var sandbox = small();
        client.pause(sandbox);

        assertRefused(409, "sandbox_not_running", ask(sandbox, "snapshots"));
        assertRefused(409, "sandbox_not_running", ask(sandbox, "pause"));
        assertRefused(409, "sandbox_not_running", ask(sandbox, "fork"));
        assertRefused(404, "sandbox_not_found", setTimeout(sandbox));
        assertThat(client.info(sandbox.id()).orElseThrow().getString("state")).isEqualTo("paused");
        assertThat(answer(ask(sandbox, "connect")).statusCode()).isEqualTo(201);
        assertThat(answer(ask(sandbox, "connect")).statusCode()).isEqualTo(200);
        client.pause(sandbox);
        assertThat(answer(client.askToKill(sandbox.id())).statusCode()).isEqualTo(204);
        assertEnded(sandbox);
    }

    @Test
    @Tag("R96")
    @Tag("R97")
    @Tag("R168")
    void answersWhileItIsBeingPaused() throws Exception {
        var sandbox = large();
        var pause = begin(sandbox, "pause", "PAUSING");

        var busy = assertRefused(409, "sandbox_busy", ask(sandbox, "snapshots"));
        assertThat(busy.getString("operation")).endsWith("/" + busy.getString("uploadId"));
        assertRefused(409, "sandbox_busy", setTimeout(sandbox));
        var joined = ask(sandbox, "pause");
        assertThat(answer(pause).statusCode()).isEqualTo(204);
        assertThat(answer(joined).statusCode()).isEqualTo(204);

        client.resume(sandbox, LIFE);
        pause = begin(sandbox, "pause", "PAUSING");
        var connect = ask(sandbox, "connect");
        assertThat(answer(pause).statusCode()).isEqualTo(204);
        assertThat(answer(connect).statusCode()).as("waits, then resumes").isEqualTo(201);

        pause = begin(sandbox, "pause", "PAUSING");
        var kill = client.askToKill(sandbox.id());
        assertThat(answer(kill).statusCode()).as("waits, then kills").isEqualTo(204);
        assertThat(answer(pause).statusCode()).isIn(204, 404);
        assertEnded(sandbox);
    }

    @Test
    @Tag("R96")
    @Tag("R100")
    @Tag("R101")
    @Tag("R102")
    @Tag("R103")
    @Tag("R168")
    void answersWhileItIsCaptured() throws Exception {
        var sandbox = large();
        var capture = begin(sandbox, "snapshots", "SNAPSHOTTING");

        assertThat(client.info(sandbox.id()).orElseThrow().getString("state")).isEqualTo("running");
        var busy = assertRefused(409, "sandbox_busy", ask(sandbox, "snapshots"));
        assertThat(busy.getString("uploadId")).isNotBlank();
        assertRefused(409, "sandbox_busy", client.askToKill(sandbox.id()));
        assertThat(answer(ask(sandbox, "connect")).statusCode()).isEqualTo(200);
        assertThat(answer(setTimeout(sandbox)).statusCode()).isEqualTo(204);
        var pause = ask(sandbox, "pause");
        var snapshot = answer(capture);
        assertThat(snapshot.statusCode()).isEqualTo(201);
        assertThat(answer(pause).statusCode()).as("waits, then pauses").isEqualTo(204);

        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("PAUSED");
        client.resume(sandbox, LIFE);
        client.deleteSnapshot(E2bClient.snapshot(snapshot.body()).id());
    }

    /** Each is of its own moment, and none needs its source. */
    @Test
    @Tag("R77")
    @Tag("R78")
    @Tag("R79")
    @Tag("R87")
    @Tag("R102")
    @Tag("R103")
    @Tag("F13")
    void isCapturedSeveralTimesAndOutlivedByAll() throws Exception {
        var sandbox = small();
        var snapshots = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            client.write(sandbox, "/home/user/moment", "number " + i);
            snapshots.add(client.snapshot(sandbox).id());
            assertThat(client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
        }
        assertThat(client.deleteSnapshot(snapshots.remove(1))).isTrue();
        assertThat(client.must(sandbox, "cat moment")).isEqualTo("number 2");
        client.kill(sandbox.id());
        assertRefused(404, "sandbox_not_found", ask(sandbox, "snapshots"));

        for (int i = 0; i < 2; i++) {
            var clone = client.create(snapshots.get(i), LIFE);
            assertThat(client.read(clone, "/home/user/moment")).isEqualTo("number " + 2 * i);
            client.kill(clone.id());
            assertThat(client.deleteSnapshot(snapshots.get(i))).isTrue();
        }
    }

    /** Nobody ends it: its time is over. */
    @Test
    @Tag("R87")
    void isOutlivedByItsSnapshotWhenItEndsAtItsTimeout() throws Exception {
        var sandbox = small();
        client.write(sandbox, "/home/user/moment", "before the end");
        var snapshot = client.snapshot(sandbox).id();
        var expiresAt = expiresAt(snapshot);
        var soon = answer(client.ask(sandbox.id(), "timeout", Map.of("timeout", 1)));
        assertThat(soon.statusCode()).isEqualTo(204);
        Eventually.await("its end", () -> client.info(sandbox.id()).isEmpty());

        assertThat(expiresAt(snapshot)).isEqualTo(expiresAt);
        var clone = client.create(snapshot, LIFE);
        opened.add(clone);
        assertThat(client.read(clone, "/home/user/moment")).isEqualTo("before the end");
        client.kill(clone.id());
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
    }

    private static String expiresAt(String snapshot) {
        return new NativeClient().snapshot(snapshot).getString("expiresAt");
    }

    @Test
    @Tag("R168")
    void answersWhileItGoesOnAgain() throws Exception {
        var sandbox = large();
        client.pause(sandbox);
        var connect = begin(sandbox, "connect", "RESUMING");

        assertRefused(409, "sandbox_busy", ask(sandbox, "snapshots"));
        assertRefused(404, "sandbox_not_found", setTimeout(sandbox));
        var joined = ask(sandbox, "connect");
        assertThat(answer(connect).statusCode()).isEqualTo(201);
        assertThat(answer(joined).statusCode()).isIn(200, 201);

        client.pause(sandbox);
        connect = begin(sandbox, "connect", "RESUMING");
        var pause = ask(sandbox, "pause");
        assertThat(answer(connect).statusCode()).isIn(201, 500);
        assertThat(answer(pause).statusCode()).as("waits, then pauses").isEqualTo(204);

        connect = begin(sandbox, "connect", "RESUMING");
        var kill = client.askToKill(sandbox.id());
        answer(connect);
        assertThat(answer(kill).statusCode()).as("waits, then kills").isEqualTo(204);
        assertEnded(sandbox);
    }

    @Test
    @Tag("R168")
    void answersWhenItHasEnded() throws Exception {
        var sandbox = small();
        client.kill(sandbox.id());

        assertEnded(sandbox);
        for (var id : List.of(sandbox.id(), "i00000000000000000000")) {
            for (var operation : List.of("snapshots", "pause", "connect", "fork", "resume")) {
                assertRefused(404, "sandbox_not_found", client.ask(id, operation, Map.of()));
            }
            assertRefused(404, "sandbox_not_found", client.askToKill(id));
        }
    }

    @Test
    @Tag("F1")
    @Tag("F3")
    @Tag("R165")
    void keepsEveryChangeOverManyCycles() throws Exception {
        var sandbox = small();
        client.write(sandbox, "/home/user/keep.py", KEEPER);
        client.startInBackground(sandbox, "exec python3 /home/user/keep.py");
        client.must(sandbox, "until [ -p in ]; do sleep 0.05; done");
        int cycles = Math.max(4, Integer.getInteger("holdfast.repeat", 2));
        for (int i = 1; i <= cycles; i++) {
            client.must(sandbox, "echo " + i + " >> lines; echo " + i + " > in");
            client.pause(sandbox);
            client.resume(sandbox, LIFE);

            var expected =
                    IntStream.rangeClosed(1, i).mapToObj(n -> n + "\n").reduce("", String::concat);
            assertThat(client.read(sandbox, "/home/user/lines")).isEqualTo(expected);
            assertThat(client.must(sandbox, "echo sum > in; cat out"))
                    .as("memory of cycle " + i)
                    .isEqualTo(i * (i + 1) / 2 + "\n");
        }
    }

    @Test
    @Tag("F2")
    void losesNothingAtItsTimeout() throws Exception {
        var sandbox = client.open(Map.of("templateID", "base", "timeout", 3, "autoPause", true));
        opened.add(sandbox);
        client.startInBackground(
                sandbox,
                "exec python3 -c 'import time\n"
                        + "with open(\"ticks\", \"w\", buffering=1) as f:\n"
                        + "    for i in range(10**6):\n"
                        + "        f.write(str(i) + \"\\n\"); time.sleep(0.01)'");
        await(sandbox, "PAUSED");
        assertThat(client.info(sandbox.id()).orElseThrow().getString("lifecycle.onTimeout"))
                .isEqualTo("pause");

        client.resume(sandbox, LIFE);
        var before = client.read(sandbox, "/home/user/ticks").lines().toList();
        assertThat(before).hasSizeGreaterThan(50);
        Thread.sleep(300);
        var after = client.read(sandbox, "/home/user/ticks").lines().toList();
        assertThat(after).hasSizeGreaterThan(before.size());
        for (int i = 0; i < after.size(); i++) {
            assertThat(after.get(i)).isEqualTo(Integer.toString(i));
        }
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, Integer.getInteger("holdfast.repeat", 2));
    }

    /** Whatever comes first: it is consistent afterwards, usable, and nothing written is lost. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R161")
    @Tag("R162")
    @Tag("F3")
    @Tag("F19")
    void isWholeAfterEverythingAtOnce(int round) throws Exception {
        var sandbox = small();
        client.write(sandbox, "/home/user/kept", "of round " + round);
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            var operation =
                    List.of("pause", "connect", "snapshots", "timeout").get(RANDOM.nextInt(4));
            asked.add(operation.equals("timeout") ? setTimeout(sandbox) : ask(sandbox, operation));
            Thread.sleep(RANDOM.nextInt(60));
        }
        var snapshots = new ArrayList<String>();
        for (var each : asked) {
            var answer = answer(each);
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201, 204, 404, 409);
            if (answer.body().contains("snapshotID")) {
                snapshots.add(E2bClient.snapshot(answer.body()).id());
            }
        }

        assertThat(client.lifecycleState(sandbox.id())).isIn("RUNNING", "PAUSED");
        answer(ask(sandbox, "connect"));
        assertThat(client.read(sandbox, "/home/user/kept")).isEqualTo("of round " + round);
        assertThat(client.must(sandbox, "echo usable")).isEqualTo("usable\n");
        for (var snapshot : snapshots) {
            assertThat(client.deleteSnapshot(snapshot)).isTrue();
        }
        assertThat(answer(client.askToKill(sandbox.id())).statusCode()).isEqualTo(204);
        assertEnded(sandbox);
    }

    @Test
    @Tag("F15")
    @Tag("F19")
    @Tag("R83")
    void forksTheStateOfThisMoment() throws Exception {
        var sandbox = small();
        var before = client.snapshots();
        client.write(sandbox, "/home/user/now", "just written");

        var answer = answer(client.ask(sandbox.id(), "fork", Map.of("count", 3, "timeout", 120)));
        assertThat(answer.statusCode()).isEqualTo(201);
        var json = new JsonPath(answer.body());
        List<String> ids = json.getList("sandbox.sandboxID");
        List<String> tokens = json.getList("sandbox.envdAccessToken");
        assertThat(ids).hasSize(3).doesNotHaveDuplicates().doesNotContain(sandbox.id());
        assertThat(tokens).doesNotHaveDuplicates().doesNotContain(sandbox.token());
        for (int i = 0; i < ids.size(); i++) {
            var fork = new Sandbox(ids.get(i), tokens.get(i));
            opened.add(fork);
            assertThat(client.read(fork, "/home/user/now")).isEqualTo("just written");
            assertThat(client.must(fork, "hostname")).isEqualTo(fork.id() + "\n");
            client.write(fork, "/home/user/now", "changed in the fork");
        }
        assertThat(client.read(sandbox, "/home/user/now")).isEqualTo("just written");
        assertThat(client.snapshots()).isEqualTo(before);
    }

    /**
     * The kind of failure is a retry that is not safe: a client whose connection broke asks again.
     */
    @ParameterizedTest
    @MethodSource("rounds")
    void makesOneSandboxForOneKey(int round) throws Exception {
        var key = "retry-" + round + "-" + Long.toHexString(RANDOM.nextLong());
        var body = Map.of("templateID", "base", "timeout", 60);
        var first = client.askToOpen(body, key);
        var second = client.askToOpen(body, key);
        assertThat(answer(first).statusCode()).isEqualTo(201);
        var id = new JsonPath(answer(first).body()).getString("sandboxID");
        opened.add(new Sandbox(id, null));
        assertThat(answer(second).statusCode()).isEqualTo(201);
        assertThat(new JsonPath(answer(second).body()).getString("sandboxID")).isEqualTo(id);

        var other = Map.of("templateID", "base", "timeout", 61);
        assertRefused(422, "idempotency_key_reused", client.askToOpen(other, key));
        assertRefused(400, "invalid_parameter", client.askToOpen(body, "k".repeat(256)));
        assertThat(client.sandboxes()).containsOnlyOnce(id);
    }

    @Test
    void forksAtLeastOneAndAtMostAHundred() throws Exception {
        var sandbox = small();
        for (Object count : List.of(0, -1, 101, 1_000_000_000_000L, 1.5, "2", true)) {
            assertRefused(
                    400,
                    "invalid_parameter",
                    client.ask(sandbox.id(), "fork", Map.of("count", count)));
        }
        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
    }

    /** Adds up what it is told and answers the sum; it lives in memory only. */
    private static final String KEEPER =
            """
            import os
            os.mkfifo("/home/user/out")
            os.mkfifo("/home/user/in")
            total = 0
            while True:
                with open("/home/user/in") as lines:
                    for line in lines:
                        if line.strip() == "sum":
                            with open("/home/user/out", "w") as out:
                                print(total, file=out)
                        else:
                            total += int(line)
            """;

    private Sandbox small() {
        var sandbox = client.create("base", LIFE);
        opened.add(sandbox);
        return sandbox;
    }

    /** So much memory that a passage can be seen. */
    private Sandbox large() {
        var sandbox = small();
        client.startInBackground(
                sandbox,
                "exec python3 -c 'import os, time; held = os.urandom(200 << 20);"
                        + " open(\"full\", \"w\"); time.sleep(7200)'");
        client.must(sandbox, "until [ -e full ]; do sleep 0.1; done");
        return sandbox;
    }

    /** Asks, and returns when the sandbox is in the passage. */
    private static CompletableFuture<HttpResponse<String>> begin(
            Sandbox sandbox, String operation, String passage) throws Exception {
        var asked = ask(sandbox, operation);
        await(sandbox, passage);
        return asked;
    }

    private static void await(Sandbox sandbox, String state) throws Exception {
        var end = Instant.now().plus(PATIENCE);
        for (var seen = ""; !seen.equals(state); seen = client.lifecycleState(sandbox.id())) {
            assertThat(Instant.now())
                    .as("%s is %s, not %s", sandbox.id(), seen, state)
                    .isBefore(end);
            Thread.sleep(5);
        }
    }

    private static CompletableFuture<HttpResponse<String>> ask(Sandbox sandbox, String operation) {
        return client.ask(sandbox.id(), operation, Map.of());
    }

    private static CompletableFuture<HttpResponse<String>> setTimeout(Sandbox sandbox) {
        return client.ask(sandbox.id(), "timeout", Map.of("timeout", LIFE.toSeconds()));
    }

    private static HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> asked)
            throws Exception {
        return asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static JsonPath assertRefused(
            int status, String reason, CompletableFuture<HttpResponse<String>> asked)
            throws Exception {
        var answer = answer(asked);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        var json = new JsonPath(answer.body());
        assertThat(json.getInt("code")).isEqualTo(status);
        assertThat(json.getString("reason")).isEqualTo(reason);
        return json;
    }

    private static void assertEnded(Sandbox sandbox) {
        assertThat(client.info(sandbox.id())).isEmpty();
        assertThat(client.sandboxes()).doesNotContain(sandbox.id());
    }
}
