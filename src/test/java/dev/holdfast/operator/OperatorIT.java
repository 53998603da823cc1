package dev.holdfast.operator;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.job.Snapshots;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What an operator sees of one capture, restore and deletion: numbers, health, log lines. */
class OperatorIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LIFE = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final E2bClient client = new E2bClient(SharedServer.api(), SharedServer.apiKey());

    @Test
    void countsACaptureARestoreAndADeletion() throws Exception {
        var before = Scrape.take();
        var source = client.create("base", LIFE);
        var snapshot = client.snapshot(source);
        var restored = client.create(snapshot.id(), LIFE);

        var during =
                shows(
                        scrape ->
                                scrape.of("holdfast_sandbox_rows", "state=\"running\"")
                                        >= before.of("holdfast_sandbox_rows", "state=\"running\"")
                                                + 2);
        assertGrew(before, during, "holdfast_sandbox_starts_total", "outcome=\"started\"");
        assertGrew(before, during, "holdfast_sandbox_start_time_seconds_count");
        assertGrew(
                before,
                during,
                "holdfast_capture_outcomes_total",
                "kind=\"snapshot\"",
                "outcome=\"saved\"",
                "reason=\"none\"");
        assertGrew(before, during, "holdfast_capture_freeze_seconds_count", "kind=\"snapshot\"");
        assertGrew(before, during, "holdfast_capture_freeze_buckets_total", "le=\"+Inf\"");
        assertGrew(before, during, "holdfast_capture_seal_seconds_count", "kind=\"snapshot\"");
        assertGrew(
                before,
                during,
                "holdfast_restore_outcomes_total",
                "origin=\"snapshot\"",
                "outcome=\"started\"");
        assertGrew(before, during, "holdfast_restore_time_seconds_count", "origin=\"snapshot\"");
        assertThat(during.of("holdfast_snapshot_stored_bytes", "state=\"saved\"")).isPositive();
        assertThat(during.of("holdfast_snapshot_rows", "state=\"saved\"")).isPositive();
        assertThat(during.of("holdfast_fleet_workers", "state=\"ready\"")).isPositive();

        assertThat(client.kill(restored.id())).isTrue();
        assertThat(client.kill(source.id())).isTrue();
        await("it can be deleted", () -> client.deleteSnapshot(snapshot.id()));
        var after =
                shows(
                        scrape ->
                                scrape.of("holdfast_expiry_cleanups_total", "outcome=\"cleaned\"")
                                        > before.of(
                                                "holdfast_expiry_cleanups_total",
                                                "outcome=\"cleaned\""));
        assertGrew(before, after, "holdfast_snapshot_removals_total", "reason=\"deleted\"");
    }

    @Test
    void countsWhatExpires() throws Exception {
        var before = Scrape.take();
        try (var rows = new Snapshots(SharedServer.get().databaseUrl())) {
            rows.save(3, "now()");
            shows(scrape -> expired(scrape) >= expired(before) + 3);
            await("their objects are gone", () -> rows.tombstones() == 3);
        }
    }

    private static double expired(Scrape scrape) {
        return scrape.of("holdfast_snapshot_removals_total", "reason=\"expired\"");
    }

    @Test
    void showsEverySeriesOfTheGaugesFromTheStart() throws Exception {
        var scrape = shows(each -> each.has("holdfast_operator_queue_age_seconds"));

        for (var state : List.of("saved", "paused", "uploading", "cleanup_pending")) {
            assertThat(scrape.has("holdfast_snapshot_stored_bytes", state)).as(state).isTrue();
        }
        for (var state : List.of("starting", "running", "snapshotting", "pausing", "paused")) {
            assertThat(scrape.has("holdfast_sandbox_rows", state)).as(state).isTrue();
        }
        for (var queue : List.of("holdfast.capture", "holdfast.runtime", "DLQ")) {
            assertThat(scrape.has("holdfast_operator_queue_depth", queue)).as(queue).isTrue();
        }
        assertThat(scrape.has("holdfast_capture_unclaimed")).isTrue();
        assertThat(scrape.has("holdfast_capture_unclaimed_age_seconds")).isTrue();
    }

    @Test
    void showsHowTheRunsOfAJobEnded() throws Exception {
        try (var management = new Management(SharedServer.get())) {
            management.job("purge-tombstones", Map.of());
        }
        shows(
                scrape ->
                        scrape.of(
                                        "holdfast_job_runs",
                                        "job=\"purge-tombstones\"",
                                        "outcome=\"completed\"")
                                > 0);
    }

    @Test
    void namesWhatItIsReadyWith() throws Exception {
        var ready = new JsonPath(health("ready"));
        for (var check : List.of("database", "broker", "store", "runtime")) {
            assertThat(ready.getString("checks.find { it.name == '" + check + "' }.status"))
                    .as(check)
                    .isEqualTo("UP");
        }
        assertThat(new JsonPath(health("live")).getList("checks.name", String.class))
                .contains("worker");
        assertThat(
                        new JsonPath(health("started"))
                                .getString("checks.find { it.name == 'started' }.status"))
                .isEqualTo("UP");
    }

    @Test
    void followsACaptureFromTheCallThroughTheQueueToTheWorkersThreads() throws Exception {
        var id = "trail-" + UUID.randomUUID();
        var source = client.create("base", LIFE);
        HttpResponse<String> answer;
        try (var management = new Management(SharedServer.get())) {
            management.debug("dev.holdfast.capture", true);
            try {
                answer = post("/sandboxes/" + source.id() + "/snapshots", id);
            } finally {
                management.debug("dev.holdfast.capture", false);
            }
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().firstValue("X-Request-Id")).contains(id);

        var lines = await("four threads wrote", () -> linesOf(id), found -> found.size() >= 4);
        assertThat(threads(lines)).anyMatch(thread -> thread.contains("task-"));
        assertThat(threads(lines)).anyMatch(thread -> thread.contains("activemq"));
        assertThat(threads(lines)).anyMatch(thread -> thread.contains("ManagedExecutor"));
        assertThat(lines)
                .allSatisfy(
                        line -> {
                            var trail = line.getJsonObject("mdc");
                            assertThat(trail.getString("sandbox")).isEqualTo(source.id());
                            assertThat(trail.getString("project")).isNotBlank();
                            assertThat(trail.getString("upload")).isNotBlank();
                            assertThat(line.getString("node")).isEqualTo("worker-1");
                            assertThat(Instant.parse(line.getString("time"))).isNotNull();
                        });
        client.kill(source.id());
    }

    @Test
    void saysNothingOfACollectorWhereThereIsNone() throws Exception {
        try (var lines = Files.lines(log())) {
            assertThat(lines.filter(line -> line.contains("opentelemetry"))).isEmpty();
        }
        try (var lines = Files.lines(log())) {
            assertThat(lines.filter(line -> line.contains("Spans are sent"))).isEmpty();
        }
    }

    @Test
    void answersWithTheRequestIdAndMakesOneWhereTheCallersIsNotFitForALog() throws Exception {
        var refused = post("/sandboxes/i00000000000000000000/snapshots", "mine-1");
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(new JsonPath(refused.body()).getString("requestId")).isEqualTo("mine-1");

        var made = post("/sandboxes/i00000000000000000000/snapshots", "x".repeat(65));
        var id = made.headers().firstValue("X-Request-Id").orElseThrow();
        assertThat(UUID.fromString(id)).isNotNull();
        assertThat(new JsonPath(made.body()).getString("requestId")).isEqualTo(id);
    }

    private static List<String> threads(List<JsonObject> lines) {
        return lines.stream().map(line -> line.getString("thread")).toList();
    }

    /** The lines of the log for programs that carry a request's ID. */
    private static List<JsonObject> linesOf(String id) throws Exception {
        try (var lines = Files.lines(log())) {
            return lines.filter(line -> line.contains(id)).map(OperatorIT::parsed).toList();
        }
    }

    private static Path log() {
        return SharedServer.get().options().home().resolve("server/log/server.json");
    }

    private static JsonObject parsed(String line) {
        try (var reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }

    private HttpResponse<String> post(String path, String requestId) throws Exception {
        var request =
                HttpRequest.newBuilder(SharedServer.api().resolve(path))
                        .timeout(PATIENCE)
                        .header("X-API-Key", SharedServer.apiKey())
                        .header("Content-Type", "application/json")
                        .header("X-Request-Id", requestId)
                        .POST(BodyPublishers.ofString("{}"))
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private String health(String kind) throws Exception {
        var request =
                HttpRequest.newBuilder(SharedServer.get().management().resolve("/health/" + kind))
                        .timeout(PATIENCE)
                        .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static void assertGrew(Scrape before, Scrape after, String name, String... labels) {
        assertThat(after.of(name, labels)).as(name).isGreaterThan(before.of(name, labels));
    }

    private static Scrape shows(Predicate<Scrape> shown) throws Exception {
        return await("it is shown", Scrape::take, shown);
    }
}
