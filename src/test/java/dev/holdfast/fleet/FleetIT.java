package dev.holdfast.fleet;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.job.AdminClient;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers as others see them: unreachable, full, drained. */
class FleetIT {

    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final String HERE = "worker-1";
    private static final String OTHER = "other-worker";
    private static final int LIMIT = 3;
    private static final Map<String, Map<String, Integer>> BODIES =
            Map.of("connect", Map.of("timeout", 60), "timeout", Map.of("timeout", 60));

    private static E2bClient client;
    private static NativeClient api;
    private static AdminClient admin;

    private final List<Sandbox> opened = new ArrayList<>();

    @BeforeAll
    static void connects() throws Exception {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        api = new NativeClient();
        admin = new AdminClient(SharedServer.get());
    }

    @AfterEach
    void leavesNothing() throws Exception {
        expect(200, admin.delete("/workers/" + HERE + "/drain"));
        api.sql("update worker set missing = '' where id = '" + HERE + "'");
        api.sql("update sandbox set worker_id = '" + HERE + "' where worker_id = '" + OTHER + "'");
        api.sql("delete from worker where id = '" + OTHER + "'");
        opened.forEach(sandbox -> client.kill(sandbox.id()));
    }

    @Test
    @Tag("R168")
    void saysThatNobodyHearsOfTheWorkerAndEndsASandboxAllTheSame() throws Exception {
        var sandbox = sandbox();
        other("now() - interval '1 second'");
        moveTo(OTHER, sandbox);

        for (var verb : List.of("snapshots", "pause", "connect", "timeout")) {
            var answer = ask(sandbox, verb);
            assertThat(answer.statusCode()).as(verb).isEqualTo(503);
            assertThat(answer.body()).as(verb).contains("worker_unreachable").contains(OTHER);
            assertThat(answer.headers().firstValue("Retry-After")).as(verb).contains("5");
        }
        assertThat(client.lifecycleState(sandbox.id())).as("nothing was done").isEqualTo("RUNNING");

        moveTo(HERE, sandbox);
        assertThat(client.must(sandbox, "echo on")).isEqualTo("on\n");
        moveTo(OTHER, sandbox);
        assertThat(client.kill(sandbox.id())).isTrue();
    }

    /** Whoever asks at once is given a place or told that there is none. */
    @Test
    void givesAWorkerNoMoreThanItMayHaveHoweverManyAskAtOnce() throws Exception {
        api.sql("update worker set missing = 'it is held back' where id = '" + HERE + "'");
        other("now() + interval '5 minutes'");
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 4 * LIMIT; i++) {
            asked.add(
                    client.askToOpen(
                            Map.of("templateID", "base", "timeout", 300),
                            UUID.randomUUID().toString()));
        }
        await(
                "the others to be refused",
                () -> asked.stream().filter(CompletableFuture::isDone).count() == 3 * LIMIT);

        assertThat(asked.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                .allSatisfy(
                        answer -> {
                            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                            assertThat(answer.body()).contains("worker_busy");
                        });
        assertThat(worker(OTHER).getInt("sandboxes")).isEqualTo(LIMIT);
        api.sql(
                "update sandbox set state_since = now() - interval '1 hour' where worker_id = '"
                        + OTHER
                        + "'");
        for (var id : api.value(IDS).split(" ")) {
            assertThat(client.kill(id)).isTrue();
        }
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
    }

    private static final String IDS =
            "select string_agg(id, ' ') from sandbox where state = 'STARTING' and worker_id = '"
                    + OTHER
                    + "'";

    /** Nobody who uses it wanted the pause: it has its content, its token and its end. */
    @Test
    @Tag("R168")
    void pausesWhatADrainedWorkerRunsAndLetsItGoOnWithTheNextRequest() throws Exception {
        var sandbox = sandbox();
        client.write(sandbox, "/home/user/kept", "as it was");
        var end = client.info(sandbox.id()).orElseThrow().getString("endAt");

        expect(200, admin.put("/workers/" + HERE + "/drain"));
        await("it to be drained", () -> "drained".equals(worker(HERE).getString("state")));
        assertThat(state(sandbox)).isEqualTo("PAUSED");
        assertThat(worker(HERE).getList("staying")).isEmpty();
        assertThat(client.info(sandbox.id()).orElseThrow().getString("endAt")).isEqualTo(end);
        var refused =
                client.askToOpen(
                                Map.of("templateID", "base", "timeout", 300),
                                UUID.randomUUID().toString())
                        .join();
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("no_worker").contains("it is being drained");

        expect(200, admin.delete("/workers/" + HERE + "/drain"));
        assertThat(client.read(sandbox, "/home/user/kept")).isEqualTo("as it was");
        assertThat(state(sandbox)).isEqualTo("RUNNING");
        assertThat(client.info(sandbox.id()).orElseThrow().getString("endAt")).isEqualTo(end);
        for (var type : List.of("worker.draining", "worker.drained", "worker.drain_ended")) {
            await("that is told", () -> events().contains(type));
        }
    }

    @Test
    void endsWhatADrainHasPausedWhenItsLifetimeIsOver() throws Exception {
        var sandbox = sandbox();
        expect(200, admin.put("/workers/" + HERE + "/drain"));
        await("it to be paused", () -> "PAUSED".equals(state(sandbox)));

        api.sql("update sandbox set end_at = now() where id = '" + sandbox.id() + "'");

        await("it to end", () -> "ENDED".equals(state(sandbox)));
        assertThat(api.value("select end_reason from sandbox where id = '" + sandbox.id() + "'"))
                .isEqualTo("TIMEOUT");
    }

    private Sandbox sandbox() {
        var sandbox = client.create("base", LIFE);
        opened.add(sandbox);
        return sandbox;
    }

    private static String state(Sandbox sandbox) throws Exception {
        return api.value("select state from sandbox where id = '" + sandbox.id() + "'");
    }

    private static JsonPath worker(String id) {
        return expect(200, admin.get("/workers/" + id));
    }

    private static List<String> events() {
        return expect(200, admin.get("/events?limit=200&kind=worker")).getList("events.type");
    }

    private static void other(String lease) throws Exception {
        api.sql(
                "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                        + " started_at) values ('"
                        + OTHER
                        + "', 'gvisor systrap', 'amd64', "
                        + LIMIT
                        + ", "
                        + lease
                        + ", now())");
    }

    private static void moveTo(String worker, Sandbox sandbox) throws Exception {
        api.sql(
                "update sandbox set worker_id = '"
                        + worker
                        + "' where id = '"
                        + sandbox.id()
                        + "'");
    }

    private static HttpResponse<String> ask(Sandbox sandbox, String what) {
        return client.ask(sandbox.id(), what, BODIES.getOrDefault(what, Map.of())).join();
    }
}
