package dev.holdfast.capture;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.capture.Native.answer;
import static dev.holdfast.capture.Native.json;
import static dev.holdfast.capture.Native.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.capture.Native.Hold;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A capture that takes long: left alone, waited for, watched, repeated, ended and failed. */
class LongCaptureIT {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private static E2bClient client;
    private static Native project;

    /** So much memory that its capture takes a while. */
    private static Sandbox large;

    private static Sandbox small;

    @BeforeAll
    static void opens() throws Exception {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        project = new Native(SharedServer.apiKey());
        small = client.create("base", LIFE);
        large = client.create("base", LIFE);
        client.startInBackground(
                large,
                "exec python3 -c 'import os, time; held = os.urandom(200 << 20);"
                        + " open(\"full\", \"w\"); time.sleep(7200)'");
        client.must(large, "until [ -e full ]; do sleep 0.1; done");
    }

    @AfterAll
    static void ends() {
        client.kill(small.id());
        client.kill(large.id());
    }

    @Test
    @Tag("R104")
    @Tag("R105")
    @Tag("R107")
    @Tag("R108")
    @Tag("F9")
    void goesOnWhenItsClientHasLeft() throws Exception {
        var leaving =
                project.send(
                        project.request("/sandboxes/" + large.id() + "/snapshots")
                                .timeout(Duration.ofMillis(400))
                                .POST(BodyPublishers.ofString("{\"name\":\"left\"}")));
        assertThatThrownBy(leaving::join).hasCauseInstanceOf(HttpTimeoutException.class);

        var busy = refused(409, "sandbox_busy", project.captureAsE2b(large.id(), Map.of()));
        var upload = busy.getString("uploadId");
        assertThat(busy.getString("operation")).isEqualTo(project.root() + "/operations/" + upload);
        var operation = json(200, project.get(busy.getString("operation")));
        assertThat(operation.getString("state")).isEqualTo("running");
        assertThat(operation.getString("sandboxId")).isEqualTo(large.id());
        assertThat(operation.getString("name")).isEqualTo(project.slug() + "/left:default");

        var over = project.over(upload);
        assertThat(over.getString("state")).isEqualTo("done");
        assertThat(client.snapshots())
                .anySatisfy(
                        found -> {
                            assertThat(found.id()).isEqualTo(over.getString("snapshotId"));
                            assertThat(found.names())
                                    .containsExactly(project.slug() + "/left:default");
                        });
        assertThat(client.deleteSnapshot(over.getString("snapshotId"))).isTrue();
        assertThat(project.operation(upload).getString("state"))
                .as("what became of the snapshot does not change how its capture ended")
                .isEqualTo("done");
    }

    @Test
    @Tag("R64")
    @Tag("R65")
    @Tag("R104")
    @Tag("F9")
    void answersEarlyIfThatIsPreferredAndTellsHowFarItIs() throws Exception {
        var answer = answer(project.capture(large.id(), Map.of(), "Prefer", "respond-async"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("respond-async");
        var upload = new JsonPath(answer.body()).getString("uploadId");
        var address = answer.headers().firstValue("Location").orElseThrow();
        assertThat(address).endsWith(project.root() + "/operations/" + upload);

        var listed = project.get(project.root() + "/snapshots?status=uploads");
        String unfinished = json(200, listed).getString("snapshots[0].id");
        assertNotLoaded(409, "snapshot_not_saved", unfinished);

        long before = 0;
        JsonPath operation = project.operation(upload);
        while (operation.getString("state").equals("running")) {
            assertThat(operation.getLong("bytesDone")).isGreaterThanOrEqualTo(before);
            before = operation.getLong("bytesDone");
            if (operation.getString("phase").equals("sealing")) {
                assertThat(operation.getLong("bytesExpected")).isGreaterThan(200L << 20);
                assertThat(operation.getLong("freezeMillis")).isPositive();
            }
            Thread.sleep(20);
            operation = project.operation(upload);
        }
        assertThat(operation.getString("state")).isEqualTo("done");
        assertThat(operation.getString("kind")).isEqualTo("snapshot");
        assertThat(operation.getLong("bytesDone")).isEqualTo(operation.getLong("bytesExpected"));
        assertThat(operation.getLong("freezeMillis")).isPositive();
        assertThat(Instant.parse(operation.getString("endedAt")))
                .isAfter(Instant.parse(operation.getString("startedAt")))
                .isBefore(Instant.parse(operation.getString("deadlineAt")));
        assertThat(operation.getString("snapshotId")).isEqualTo(unfinished);
        assertThat(client.deleteSnapshot(unfinished)).isTrue();
        assertNotLoaded(404, "snapshot_deleted", unfinished);
    }

    private static void assertNotLoaded(int status, String reason, String id) throws Exception {
        var restore = project.root() + "/snapshots/" + id + "/restore";
        refused(status, reason, project.post(restore, Map.of()));
        refused(status, reason, project.post("/v2/sandboxes", Map.of("templateID", id)));
    }

    @Test
    @Tag("R104")
    @Tag("R106")
    void waitsAsLongAsTheCallerSays() throws Exception {
        var upload = project.begin(small.id(), Map.of());
        try (var hold = new Hold(upload)) {
            var other = client.create("base", LIFE);
            var late = project.capture(other.id(), Map.of(), "Prefer", "wait=0");
            var told = refused(504, "capture_in_progress", late);
            assertThat(told.getString("operation")).endsWith(told.getString("uploadId"));
            assertThat(project.over(told.getString("uploadId")).getString("state"))
                    .isEqualTo("done");
            client.kill(other.id());

            var asked = Instant.now();
            var operation =
                    answer(
                            project.get(
                                    project.root() + "/operations/" + upload, "Prefer", "wait=1"));
            assertThat(Duration.between(asked, Instant.now()))
                    .isGreaterThan(Duration.ofMillis(900));
            assertThat(operation.headers().firstValue("Preference-Applied")).contains("wait=1");
            assertThat(new JsonPath(operation.body()).getString("state")).isEqualTo("running");
        }
        assertThat(project.over(upload).getString("state")).isEqualTo("done");

        var saved =
                answer(
                        project.capture(
                                small.id(), Map.of("name", "waited-for", "retention", 3600)));
        assertThat(saved.statusCode()).as(saved.body()).isEqualTo(201);
        var snapshot = new JsonPath(saved.body());
        assertThat(saved.headers().firstValue("Location").orElseThrow())
                .endsWith("/snapshots/" + snapshot.getString("id"));
        assertThat(snapshot.getString("names[0]"))
                .isEqualTo(project.slug() + "/waited-for:default");
        assertThat(
                        Duration.between(
                                Instant.parse(snapshot.getString("savedAt")),
                                Instant.parse(snapshot.getString("expiresAt"))))
                .isEqualTo(Duration.ofHours(1));
        refused(
                400,
                "invalid_parameter",
                project.capture(small.id(), Map.of("retention", 100_000_000_000L)));
        deleteAll();
    }

    /** More requests wait than the server has threads for requests, and it answers the others. */
    @Test
    @Tag("R104")
    void holdsNoThreadForThoseWhoWait() throws Exception {
        var key = "crowd-" + UUID.randomUUID();
        var upload =
                json(
                                202,
                                project.capture(
                                        small.id(),
                                        Map.of(),
                                        "Idempotency-Key",
                                        key,
                                        "Prefer",
                                        "respond-async"))
                        .getString("uploadId");
        var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        try (var hold = new Hold(upload)) {
            for (int i = 0; i < 100; i++) {
                waiting.add(project.captureAsE2b(small.id(), Map.of(), "Idempotency-Key", key));
            }
            for (int i = 0; i < 10; i++) {
                var asked = Instant.now();
                assertThat(project.operation(upload).getString("state")).isEqualTo("running");
                assertThat(Duration.between(asked, Instant.now()))
                        .isLessThan(Duration.ofSeconds(30));
                Thread.sleep(50);
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
        }
        var snapshot = project.over(upload).getString("snapshotId");
        for (var each : waiting) {
            assertThat(json(201, each).getString("snapshotID")).isEqualTo(snapshot);
        }
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
    }

    @Test
    @Tag("R108")
    @Tag("R161")
    void makesOneSnapshotForOneKey() throws Exception {
        var key = "retry-" + UUID.randomUUID();
        var body = Map.of("name", "once");
        var first = project.captureAsE2b(small.id(), body, "Idempotency-Key", key);
        var second = project.captureAsE2b(small.id(), body, "Idempotency-Key", key);
        var id = json(201, first).getString("snapshotID");
        assertThat(json(201, second).getString("snapshotID")).isEqualTo(id);
        assertThat(
                        json(201, project.capture(small.id(), body, "Idempotency-Key", key))
                                .getString("id"))
                .as("in the other dialect too")
                .isEqualTo(id);

        for (var other :
                List.of(Map.of("name", "twice"), Map.of("name", "once", "memory", false))) {
            refused(
                    422,
                    "idempotency_key_reused",
                    project.captureAsE2b(small.id(), other, "Idempotency-Key", key));
        }
        refused(
                422,
                "idempotency_key_reused",
                project.captureAsE2b(large.id(), body, "Idempotency-Key", key));
        refused(
                400,
                "invalid_parameter",
                project.captureAsE2b(small.id(), body, "Idempotency-Key", "k".repeat(256)));

        assertThat(client.deleteSnapshot(id)).isTrue();
        var anew = json(201, project.captureAsE2b(small.id(), body, "Idempotency-Key", key));
        assertThat(anew.getString("snapshotID"))
                .as("the key went with the snapshot")
                .isNotEqualTo(id);
        assertThat(client.deleteSnapshot(anew.getString("snapshotID"))).isTrue();
    }

    @Test
    @Tag("R102")
    @Tag("R117")
    @Tag("R161")
    @Tag("R162")
    @Tag("F8")
    void isCancelledAndLeavesNothing() throws Exception {
        for (var phase : List.of("accepted", "freezing", "sealing")) {
            var waiting =
                    project.captureAsE2b(
                            large.id(), Map.of("name", "ended"), "Idempotency-Key", "end-" + phase);
            var upload = underWay(large);
            if (!phase.equals("accepted")) {
                awaitAtLeast(upload, phase);
            }
            var cancelled = json(200, project.cancel(upload));
            assertThat(cancelled.getString("state")).isEqualTo("cancelled");
            assertThat(cancelled.getString("reason")).isEqualTo("capture_cancelled");
            assertThat(client.lifecycleState(large.id())).isEqualTo("RUNNING");
            assertThat(reservations(upload)).isZero();
            assertThat(client.must(large, "echo goes on")).isEqualTo("goes on\n");
            var told = refused(409, "capture_cancelled", waiting);
            assertThat(told.getString("uploadId")).isEqualTo(upload);

            var named = client.snapshot(small, "ended");
            assertThat(client.deleteSnapshot(named.id())).isTrue();
            refused(409, "operation_not_cancellable", project.cancel(upload));
            assertThat(project.operation(upload).getString("state")).isEqualTo("cancelled");
            var stored = stored(cancelled.getString("snapshotId"));
            await("its objects are gone", () -> Files.notExists(stored));
        }
        var again =
                json(
                        201,
                        project.captureAsE2b(
                                large.id(),
                                Map.of("name", "ended"),
                                "Idempotency-Key",
                                "end-sealing"));
        assertThat(client.deleteSnapshot(again.getString("snapshotID"))).isTrue();
    }

    @Test
    void cancelsNothingThatIsOver() throws Exception {
        var upload = project.begin(small.id(), Map.of());
        var done = project.over(upload);
        var told = refused(409, "operation_not_cancellable", project.cancel(upload));
        assertThat(told.getString("state")).isEqualTo("done");
        assertThat(client.deleteSnapshot(done.getString("snapshotId"))).isTrue();
        refused(404, "operation_not_found", project.cancel(UUID.randomUUID().toString()));
        refused(404, "operation_not_found", project.get(project.root() + "/operations/none"));
    }

    @Test
    @Tag("R161")
    @Tag("R162")
    @Tag("F8")
    @Tag("F9")
    void failsAtItsDeadline() throws Exception {
        for (var wrong : List.of(0, -5, 901, 1_000_000_000_000L)) {
            refused(
                    400,
                    "invalid_parameter",
                    project.capture(small.id(), Map.of("deadline", wrong)));
        }
        var source = client.create("base", LIFE);
        var upload = project.begin(source.id(), Map.of("deadline", 1, "name", "too-late"));
        try (var hold = new Hold(upload)) {
            Thread.sleep(1_010);
        }
        var over = project.over(upload);
        assertThat(over.getString("state")).isEqualTo("expired");
        assertThat(over.getString("reason")).isEqualTo("capture_expired");
        assertThat(over.getString("message")).contains("deadline");
        assertFailedWithoutHarm(source, upload, "too-late");
        assertThat(client.kill(source.id())).isTrue();
    }

    @Test
    @Tag("R161")
    @Tag("R162")
    @Tag("F8")
    void failsWhenTheStoreCannotBeWritten() throws Exception {
        var source = client.create("base", LIFE);
        var snapshots = home().resolve("store/snapshots");
        var away = home().resolve("store-snapshots-away");
        if (Files.exists(snapshots)) {
            Files.move(snapshots, away);
        }
        Files.writeString(snapshots, "in the way");
        String upload;
        try {
            var told =
                    refused(
                            500,
                            "capture_failed",
                            project.captureAsE2b(source.id(), Map.of("name", "unwritten")));
            upload = told.getString("uploadId");
            assertThat(told.getString("message")).doesNotContain(home().toString());
        } finally {
            Files.delete(snapshots);
            if (Files.exists(away)) {
                Files.move(away, snapshots);
            }
        }
        assertThat(project.operation(upload).getString("state")).isEqualTo("failed");
        assertFailedWithoutHarm(source, upload, "unwritten");
        assertThat(client.kill(source.id())).isTrue();
    }

    @Test
    @Tag("R161")
    @Tag("R162")
    @Tag("F8")
    @Tag("F10")
    void saysWhichLimitItsTrueSizeWentOver() throws Exception {
        var key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        var tenant = new E2bClient(SharedServer.api(), key);
        var narrow = new Native(key);
        var source = tenant.create("base", LIFE);
        var waiting = narrow.captureAsE2b(source.id(), Map.of());
        var upload = underWay(narrow, source);
        try (var hold = new Hold(upload)) {
            limit(narrow, 4096);
        }
        var told = refused(403, "quota_bytes_exceeded", waiting);
        assertThat(told.getLong("limit")).isEqualTo(4096);
        assertThat(told.getLong("used")).isZero();
        assertThat(told.getLong("needed")).isGreaterThan(4096);
        assertThat(told.getString("uploadId")).isEqualTo(upload);
        var operation = narrow.operation(upload);
        assertThat(operation.getString("state")).isEqualTo("failed");
        assertThat(operation.getString("reason")).isEqualTo("quota_bytes_exceeded");
        assertThat(operation.getLong("figures.limit")).isEqualTo(4096);
        assertThat(reservations(upload)).isZero();
        var stored = stored(operation.getString("snapshotId"));
        await("its objects are gone", () -> Files.notExists(stored));

        limit(narrow, 1L << 40);
        var snapshot = tenant.snapshot(source);
        assertThat(snapshot.names()).isEmpty();
        refused(404, "project_not_found", narrow.get(project.root() + "/operations"));
        refused(404, "operation_not_found", project.get(project.root() + "/operations/" + upload));
        assertThat(tenant.kill(source.id())).isTrue();
        assertThat(tenant.deleteSnapshot(snapshot.id())).isTrue();
    }

    @Test
    void listsThemByStateInPages() throws Exception {
        var done = project.begin(small.id(), Map.of());
        project.over(done);
        var cancelled = project.begin(large.id(), Map.of());
        json(200, project.cancel(cancelled));
        var running = project.begin(small.id(), Map.of());
        try (var hold = new Hold(running)) {
            assertThat(listed("?state=running")).containsExactly(running);
            assertThat(listed("?state=cancelled")).contains(cancelled).doesNotContain(done);
            assertThat(listed("?state=done")).contains(done).doesNotContain(running, cancelled);
            assertThat(listed("?state=failed")).doesNotContain(running, done, cancelled);
            assertThat(listed("?limit=3")).containsExactly(running, cancelled, done);

            var page = json(200, project.get(project.root() + "/operations?limit=2"));
            Native.update("delete from snapshot where upload_id = ?::uuid", cancelled);
            assertThat(listed("?limit=1&after=" + page.getString("next")))
                    .as("although the last one of the page was removed")
                    .containsExactly(done);
        }
        for (var wrong :
                List.of(
                        "?state=over",
                        "?limit=0",
                        "?limit=101",
                        "?limit=x",
                        "?after=x",
                        "?after=" + done)) {
            refused(400, "invalid_parameter", project.get(project.root() + "/operations" + wrong));
        }
        project.over(running);
        deleteAll();
    }

    /** The source goes on, and there are no objects, no reservation and no name left. */
    private static void assertFailedWithoutHarm(Sandbox source, String upload, String name)
            throws Exception {
        assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        assertThat(client.must(source, "echo usable")).isEqualTo("usable\n");
        assertThat(reservations(upload)).isZero();
        var stored = stored(project.operation(upload).getString("snapshotId"));
        await("its objects are gone", () -> Files.notExists(stored));
        var anew = client.snapshot(source, name);
        assertThat(client.deleteSnapshot(anew.id())).isTrue();
    }

    private static String underWay(Sandbox source) throws Exception {
        return underWay(project, source);
    }

    private static String underWay(Native project, Sandbox source) throws Exception {
        var end = Instant.now().plus(Native.PATIENCE);
        for (; ; ) {
            var page = json(200, project.get(project.root() + "/operations?state=running"));
            List<String> uploads =
                    page.getList(
                            "operations.findAll { it.sandboxId == '"
                                    + source.id()
                                    + "' }.uploadId");
            if (!uploads.isEmpty()) {
                return uploads.get(0);
            }
            assertThat(Instant.now()).isBefore(end);
        }
    }

    private static void awaitAtLeast(String upload, String phase) throws Exception {
        if (phase.equals("freezing")) {
            await(
                    "it is taken",
                    () -> !project.operation(upload).getString("phase").equals("accepted"));
        } else {
            project.awaitPhase(upload, phase);
        }
    }

    private static List<String> listed(String query) throws Exception {
        return json(200, project.get(project.root() + "/operations" + query))
                .getList("operations.uploadId");
    }

    private static long reservations(String upload) throws Exception {
        try (var connection = Native.database();
                var statement =
                        connection.prepareStatement(
                                "select count(*) from reservation where owner = ?::uuid")) {
            statement.setString(1, upload);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static void limit(Native project, long bytes) throws Exception {
        Native.update(
                "update project set plan_bytes = ? where id = ?::uuid", bytes, project.project());
    }

    private static void deleteAll() {
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    private static Path stored(String snapshot) {
        return home().resolve("store/snapshots").resolve(snapshot);
    }

    private static Path home() {
        return SharedServer.get().options().home();
    }
}
