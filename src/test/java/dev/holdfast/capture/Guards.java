package dev.holdfast.capture;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.job.AdminClient;
import dev.holdfast.job.Snapshots;
import dev.holdfast.run.LocalServer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Snapshots that are pinned, held, deleted and brought back all the time, each by one thread and in
 * one order, so that what became of each call can be told from the rows alone.
 */
final class Guards implements AutoCloseable {

    private static final int LIVES = 3;

    private static final Instant HELD = Instant.now().truncatedTo(ChronoUnit.DAYS);

    /** A call, and what it leaves. */
    private record Deed(String verb, String below, String action, String event, String row) {}

    private static final List<Deed> LIFE =
            List.of(
                    new Deed("PUT", "/snapshots/%s/pin", "pin", "pinned", "SAVED t f"),
                    new Deed("DELETE", "/snapshots/%s/pin", "unpin", "unpinned", "SAVED f f"),
                    new Deed("DELETE", "/snapshots/%s", "delete", "deleted", "TRASHED f f"),
                    new Deed(
                            "POST",
                            "/trash/%s/bring-back",
                            "bring_back",
                            "recovered",
                            "SAVED f f"));

    private static final List<Deed> HOLDING =
            List.of(new Deed("PUT", "/snapshots/%s/hold", "hold", "held", "SAVED f t"));

    private final LocalServer server;
    private final Snapshots rows;
    private final List<String> ids;
    private final String key;
    private final String address;
    private final AtomicInteger[] answered;
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    Guards(LocalServer server) throws Exception {
        this.server = server;
        rows = new Snapshots(server.databaseUrl());
        rows.save(LIVES + 1, "now() + interval '300 days'");
        rows.sql("update project set trash_seconds = 86400 where id = '" + rows.project() + "'");
        ids = rows.ids();
        answered = ids.stream().map(each -> new AtomicInteger()).toArray(AtomicInteger[]::new);
        address = server.api() + "/api/v1/projects/" + rows.project();
        var asked =
                Map.of(
                        "name",
                        "guards",
                        "permissions",
                        List.of("snapshots:read", "sandboxes:manage", "project:admin"));
        key =
                expect(
                                201,
                                given().header("X-API-Key", server.adminKey())
                                        .contentType("application/json")
                                        .body(NativeClient.json(asked))
                                        .post(address + "/keys"))
                        .getString("key");
    }

    List<String> ids() {
        return ids;
    }

    /** Calls one after the other for each of them, until the server is gone. */
    AutoCloseable busy() {
        var over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(ids.size());
        IntStream.range(0, ids.size())
                .forEach(
                        i ->
                                threads.execute(
                                        () -> {
                                            while (!over.get() && answers(i)) {
                                                answered[i].incrementAndGet();
                                            }
                                        }));
        return () -> {
            over.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        };
    }

    /** Whether it was answered and done; a server that dies answers nothing or a 5xx. */
    private boolean answers(int i) {
        int number = answered[i].get();
        Deed deed = deed(i, number);
        var call = given().header("X-API-Key", key);
        if (deed.verb().equals("PUT")) {
            call.contentType("application/json").body(NativeClient.json(terms(deed, number)));
        }
        try {
            var answer = call.request(deed.verb(), address + deed.below().formatted(ids.get(i)));
            if (answer.statusCode() >= 400 && answer.statusCode() < 500) {
                refused.add(deed + ": " + answer.asString());
            }
            return answer.statusCode() < 300;
        } catch (Exception gone) {
            return false;
        }
    }

    private static Map<String, String> terms(Deed deed, int number) {
        return deed.action().equals("hold")
                ? Map.of("reason", "kept", "until", until(number + 1).toString())
                : Map.of("reason", "kept");
    }

    private static Instant until(int holds) {
        return HELD.plus(Math.min(3600, 30 + holds), ChronoUnit.DAYS);
    }

    private Deed deed(int i, int number) {
        List<Deed> cycle = i < LIVES ? LIFE : HOLDING;
        return cycle.get(number % cycle.size());
    }

    /**
     * What was answered is in force, the one that was not is done with all that belongs to it or
     * with none of it, and audit and events have each of them once, in their order.
     */
    void assertWhole(String told) throws Exception {
        assertThat(refused).as(told).isEmpty();
        for (int i = 0; i < ids.size(); i++) {
            int life = i;
            String subject = "'" + ids.get(i) + "'";
            var audit =
                    rows.value(
                            "select coalesce(string_agg(substr(action, 10), ' ' order by at, id), '')"
                                    + " from audit_entry where outcome = 'DONE' and subject_id = "
                                    + subject);
            int done = audit.isEmpty() ? 0 : audit.split(" ").length;
            assertThat(done - answered[i].get())
                    .as(told + ": calls that were done and not answered")
                    .isBetween(0, 1);
            assertThat(audit).as(told).isEqualTo(words(done, n -> deed(life, n).action()));
            await(told + ": events have their numbers", () -> pending(subject) == 0);
            assertThat(
                            rows.value(
                                    "select coalesce(string_agg(substr(type, 10), ' ' order by"
                                            + " position), '') from event where subject = "
                                            + subject))
                    .as(told)
                    .isEqualTo(words(done, n -> deed(life, n).event()));
            assertThat(
                            rows.value(
                                    "select state || ' ' || left((pinned_at is not null)::text, 1)"
                                            + " || ' ' || left((held_at is not null)::text, 1)"
                                            + " from snapshot where id = "
                                            + subject))
                    .as(told)
                    .isEqualTo(done == 0 ? "SAVED f f" : deed(i, done - 1).row());
            if (i >= LIVES && done > 0) {
                var until = "select held_until = '%s' from snapshot where id = %s";
                assertThat(rows.value(until.formatted(until(done), subject))).isEqualTo("t");
            }
            answered[i].set(done);
        }
        assertThat(rows.usage())
                .as(told + ": each is charged, in the trash too")
                .isEqualTo(ids.size() + " " + ids.size() * Snapshots.BYTES);
    }

    /** The chain of its audit has outlived it too. */
    void assertChainIsWhole() throws Exception {
        var admin = new AdminClient(server);
        var at = "/jobs/verify-audit/executions";
        var order = Map.of("parameters", Map.of("project", rows.project()));
        var id = expect(202, admin.post(at, order)).getString("id");
        var seen =
                await(
                        "the chain is verified",
                        () -> expect(200, admin.get(at + "/" + id)),
                        answer -> answer.getString("status").equals("completed"));
        assertThat(seen.getString("outcome")).startsWith("whole: ");
    }

    private long pending(String subject) throws Exception {
        given().header("X-API-Key", key).get(address + "/events?limit=1").statusCode();
        return Long.parseLong(
                rows.value("select count(*) from event_pending where subject = " + subject));
    }

    private static String words(int count, IntFunction<String> word) {
        return String.join(" ", IntStream.range(0, count).mapToObj(word).toList());
    }

    @Override
    public void close() throws Exception {
        rows.close();
    }
}
