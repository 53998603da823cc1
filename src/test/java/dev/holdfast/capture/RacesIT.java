package dev.holdfast.capture;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.capture.Native.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two at the same thing: one wins as the room's page says, and nothing is left of the other. */
class RacesIT {

    private static final Duration LIFE = Duration.ofHours(3);
    private static final RandomGenerator RANDOM = RandomGenerator.getDefault();
    private static final int ROUNDS = rounds();

    private static E2bClient client;
    private static Native project;
    private static Management management;
    private static Leavings leavings;
    private static Path home;
    private static Sandbox source;
    private static Sandbox other;

    /** A capture that failed before everything else. */
    private static String failed;

    @BeforeAll
    static void opens() throws Exception {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        project = new Native(SharedServer.apiKey());
        management = new Management(SharedServer.get());
        home = SharedServer.get().options().home();
        leavings = new Leavings(home, SharedServer.get().databaseUrl());
        leavings.pardonWhatIsThere();
        source = client.create("base", LIFE);
        client.write(source, "/home/user/kept", "kept");
        other = client.create("base", LIFE);
        failed = project.begin(source.id(), Map.of("name", "gone"));
        Native.json(200, project.cancel(failed));
    }

    /**
     * Of the rows and objects that await their clean-up, too, nothing stays. What a row said of a
     * failure is told on.
     */
    @AfterAll
    static void leavesNothing() throws Exception {
        client.kill(source.id());
        client.kill(other.id());
        Native.update("update snapshot set cleanup_after = now() where state = 'CLEANUP_PENDING'");
        await(
                "what was removed is gone",
                () -> leavings.rows(NOT_SAVED.formatted(project.slug())),
                List::isEmpty);
        leavings.assertEveryObjectIsOwned();
        var remembered = project.operation(failed);
        assertThat(remembered.getString("state")).isEqualTo("cancelled");
        assertThat(remembered.getString("message")).contains("cancelled");
        assertThat(remembered.getString("name")).isEqualTo(project.slug() + "/gone:default");
        await(
                "no machine is left",
                () ->
                        leavings.rows(
                                "select id from sandbox where state = 'ENDED'"
                                        + " and machine_id is not null"),
                List::isEmpty);
        management.close();
    }

    @AfterEach
    void nothingLeaks() throws Exception {
        assertThat(leavings.rows(NOT_SAVED.formatted(project.slug()) + " and state = 'UPLOADING'"))
                .as("captures that nobody waits for")
                .isEmpty();
        leavings.assertNoCaptureIsStalled();
        leavings.assertEveryObjectIsOwned();
        assertThat(leavings.rows(MISCOUNTED.formatted(project.slug())))
                .as("projects whose usage is not their rows")
                .isEmpty();
        var end = Instant.now().plus(Native.PATIENCE);
        for (; ; ) {
            try {
                leavings.assertEveryMachineIsOwned();
                leavings.assertEveryImageIsOwned();
                return;
            } catch (AssertionError e) {
                if (Instant.now().isAfter(end)) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    @Test
    @Tag("R101")
    @Tag("R168")
    void eitherKillsASandboxOrCapturesIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var sandbox = client.create("base", LIFE);
            var answers =
                    atOnce(
                            () -> project.captureAsE2b(sandbox.id(), Map.of()),
                            () -> client.askToKill(sandbox.id()));
            var capture = answers.get(0);
            var kill = answers.get(1);
            if (capture.statusCode() == 201) {
                assertRefused(409, "sandbox_busy", kill);
                assertThat(client.must(sandbox, "echo lives")).isEqualTo("lives\n");
                assertThat(client.kill(sandbox.id())).isTrue();
                assertThat(client.deleteSnapshot(snapshot(capture))).isTrue();
            } else {
                assertRefused(404, "sandbox_not_found", capture);
                assertThat(kill.statusCode()).isEqualTo(204);
            }
            assertThat(client.info(sandbox.id())).isEmpty();
        }
    }

    @Test
    @Tag("R95")
    @Tag("R97")
    @Tag("R168")
    void eitherPausesASandboxFirstOrCapturesIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var answers =
                    atOnce(
                            () -> project.captureAsE2b(source.id(), Map.of()),
                            () -> client.ask(source.id(), "pause", Map.of()));
            var capture = answers.get(0);
            assertThat(answers.get(1).statusCode()).as("it waits for a capture").isEqualTo(204);
            assertThat(client.isThere(source)).as("whoever was told of the pause").isFalse();
            if (capture.statusCode() == 201) {
                assertThat(client.deleteSnapshot(snapshot(capture))).isTrue();
            } else {
                assertThat(new JsonPath(capture.body()).getString("reason"))
                        .isIn("sandbox_busy", "sandbox_not_running");
            }
            assertThat(client.lifecycleState(source.id())).isEqualTo("PAUSED");
            client.resume(source, LIFE);
            assertThat(client.must(source, "echo back")).isEqualTo("back\n");
        }
    }

    @Test
    @Tag("R113")
    @Tag("R115")
    void givesOneNameToOneOfTwoSandboxes() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var name = Map.of("name", "wanted:v" + round);
            var answers =
                    atOnce(
                            () -> project.captureAsE2b(source.id(), name),
                            () -> project.captureAsE2b(other.id(), name));
            var winner = oneOf(answers, 201);
            assertRefused(409, "name_taken", oneOf(answers, 409));
            var id = snapshot(winner);
            assertThat(client.snapshots())
                    .filteredOn(found -> found.names().toString().contains("/wanted:v"))
                    .extracting(E2bClient.Snapshot::id)
                    .containsExactly(id);
            assertThat(client.deleteSnapshot(id)).isTrue();
        }
    }

    @Test
    @Tag("R96")
    void capturesASandboxOnceAtATime() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var answers =
                    atOnce(
                            () -> project.captureAsE2b(source.id(), Map.of()),
                            () -> project.captureAsE2b(source.id(), Map.of()));
            var id = snapshot(oneOf(answers, 201));
            var busy = assertRefused(409, "sandbox_busy", oneOf(answers, 409));
            assertThat(project.operation(busy.getString("uploadId")).getString("snapshotId"))
                    .as("it is told of the one that is under way")
                    .isEqualTo(id);
            assertThat(client.deleteSnapshot(id)).isTrue();
        }
    }

    @Test
    @Tag("R161")
    @Tag("F8")
    void eitherCancelsACaptureOrSavesIt() throws Exception {
        int length = lengthOfACapture();
        for (int round = 0; round < 2 * ROUNDS; round++) {
            var upload = project.begin(source.id(), Map.of("name", "undecided"));
            Thread.sleep(RANDOM.nextInt(length));
            var cancel = answer(project.cancel(upload));
            var over = project.over(upload);
            if (cancel.statusCode() == 200) {
                assertThat(over.getString("state")).isEqualTo("cancelled");
                assertThat(client.deleteSnapshot(over.getString("snapshotId"))).isFalse();
            } else {
                assertRefused(409, "operation_not_cancellable", cancel);
                assertThat(over.getString("state")).isEqualTo("done");
                assertThat(client.deleteSnapshot(over.getString("snapshotId"))).isTrue();
            }
            assertThat(client.lifecycleState(source.id())).isEqualTo("RUNNING");
        }
        assertThat(client.must(source, "echo usable")).isEqualTo("usable\n");
        await(
                "none has done more than there was",
                () ->
                        leavings.rows(
                                "select id::text from snapshot where failure_reason is not null"
                                        + " and bytes_done > coalesce(bytes_expected, 0)"),
                List::isEmpty);
    }

    @Test
    @Tag("R154")
    @Tag("R155")
    void eitherDeletesASnapshotOrRestoresIt() throws Exception {
        var supply = new Supply(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            var id = supply.take();
            var answers =
                    atOnce(
                            () ->
                                    project.post(
                                            "/v2/sandboxes",
                                            Map.of("templateID", id, "timeout", 60)),
                            () -> project.delete("/templates/" + id));
            var create = answers.get(0);
            var delete = answers.get(1);
            if (create.statusCode() == 201) {
                var occupied = assertRefused(409, "snapshot_occupied", delete);
                var clone = new JsonPath(create.body()).getString("sandboxID");
                assertThat(occupied.getList("occupants")).asString().contains(clone);
                assertThat(client.kill(clone)).isTrue();
                assertThat(client.deleteSnapshot(id)).isTrue();
            } else {
                assertRefused(404, "snapshot_deleted", create);
                assertThat(delete.statusCode()).isEqualTo(204);
            }
            assertThat(client.deleteSnapshot(id)).isFalse();
        }
    }

    @Test
    @Tag("R157")
    @Tag("R158")
    void deletesASnapshotOnce() throws Exception {
        var supply = new Supply(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            var id = supply.take();
            var answers =
                    atOnce(
                            () -> project.delete("/templates/" + id),
                            () -> project.delete("/templates/" + id));
            oneOf(answers, 204);
            assertRefused(404, "snapshot_not_found", oneOf(answers, 404));
        }
    }

    @Test
    @Tag("R115")
    @Tag("R117")
    @Tag("F11")
    void givesADeletedNameToWhoeverCameAfter() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var first = client.snapshot(other, "passed-on").id();
            var answers =
                    atOnce(
                            () -> project.captureAsE2b(source.id(), Map.of("name", "passed-on")),
                            () -> project.delete("/templates/" + first));
            assertThat(answers.get(1).statusCode()).isEqualTo(204);
            var capture = answers.get(0);
            var holders =
                    client.snapshots().stream()
                            .filter(found -> found.names().toString().contains("passed-on"))
                            .map(E2bClient.Snapshot::id)
                            .toList();
            if (capture.statusCode() == 201) {
                assertThat(holders).containsExactly(snapshot(capture));
            } else {
                assertRefused(409, "name_taken", capture);
                assertThat(holders).isEmpty();
                holders = List.of(client.snapshot(source, "passed-on").id());
            }
            assertThat(client.deleteSnapshot(holders.get(0))).isTrue();
        }
    }

    /** Its objects could not be removed, and the next try is an hour away. */
    @Test
    @Tag("R158")
    @Tag("F24")
    void cleansUpAtOnceWhatIsDeletedAgain() throws Exception {
        String id;
        do {
            id = client.snapshot(source).id();
            assertThat(client.deleteSnapshot(id)).isTrue();
        } while (Native.update(
                        "update snapshot set cleanup_attempts = 7, cleanup_error = 'full',"
                                + " cleanup_after = now() + interval '1 hour' where id = ?::uuid",
                        id)
                == 0);

        assertThat(client.deleteSnapshot(id)).isFalse();
        assertThat(
                        leavings.rows(
                                "select id::text from snapshot where id = '"
                                        + id
                                        + "' and cleanup_after > now()"))
                .as("put off")
                .isEmpty();
    }

    /**
     * Whoever comes first to the snapshot's row. What starts from it finds all of it, and the jobs
     * wait for its end, be that at the same moment.
     */
    @Test
    @Tag("R86")
    @Tag("R117")
    @Tag("R153")
    @Tag("F3")
    @Tag("F20")
    void eitherExpiresASnapshotOrRestoresIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var id = client.snapshot(source, "ripe").id();
            loseTheCopyNowAndThen(id);
            var restore =
                    beside(
                            () -> {
                                expire(id);
                                return runTheJobs();
                            },
                            () -> restore(id));
            assertRefused(404, "snapshot_expired", answer(restore(id)));
            if (restore.statusCode() == 201) {
                var clone = sandbox(restore);
                assertThat(client.read(clone, "/home/user/kept")).isEqualTo("kept");
                assertThat(rowsOf(id, "state || ' ' || parts_state"))
                        .as("it waits for its occupant")
                        .containsExactly("SAVED COMPLETE");
                var kill = beside(RacesIT::runTheJobs, () -> client.askToKill(clone.id()));
                assertThat(kill.statusCode()).as(kill.body()).isEqualTo(204);
            } else {
                assertRefused(404, "snapshot_expired", restore);
            }
            assertGone(id, "EXPIRED");
        }
    }

    /** The same answer before, while and after its objects and its row are removed. */
    @Test
    @Tag("R69")
    @Tag("R86")
    @Tag("R155")
    @Tag("F24")
    void restoresNothingOfWhatIsBeingCleanedUp() throws Exception {
        var supply = new Supply(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            var id = supply.take();
            boolean expired = RANDOM.nextBoolean();
            if (expired) {
                expire(id);
                management.job("expire-snapshots", Map.of());
            } else {
                assertThat(client.deleteSnapshot(id)).isTrue();
            }
            var reason = expired ? "snapshot_expired" : "snapshot_deleted";
            var cleaning = started(0, () -> management.job("clean-up-objects", Map.of()).status());
            do {
                assertRefused(404, reason, answer(restore(id)));
            } while (!cleaning.isDone());
            assertRefused(404, reason, answer(restore(id)));
            assertGone(id, expired ? "EXPIRED" : "DELETED");
        }
    }

    /** It ends before it runs, and what it was to start from is removed under its machine. */
    @Test
    @Tag("R153")
    @Tag("R154")
    @Tag("R155")
    @Tag("R167")
    @Tag("F3")
    void leavesNothingOfASandboxThatIsKilledWhileItsSnapshotIsCleanedUp() throws Exception {
        int length = lengthOfARestore() * 5 / 4;
        var supply = new Supply(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            var id = supply.take();
            loseTheCopyNowAndThen(id);
            var clone = "i" + id.replace("-", "").substring(0, 20);
            var create =
                    project.post(
                            "/v2/sandboxes",
                            Map.of("templateID", id, "timeout", 60, "sandboxID", clone));
            Thread.sleep(RANDOM.nextInt(length));
            var kill = answer(client.askToKill(clone));
            var delete = answer(project.delete("/templates/" + id));
            management.job("clean-up-objects", Map.of());
            var created = answer(create);
            if (kill.statusCode() == 204) {
                assertThat(delete.statusCode()).as(delete.body()).isEqualTo(204);
                if (created.statusCode() != 201) {
                    assertRefused(500, "start_failed", created);
                }
            } else {
                assertRefused(404, "sandbox_not_found", kill);
                if (created.statusCode() == 201) {
                    assertRefused(409, "snapshot_occupied", delete);
                    assertThat(client.kill(clone)).isTrue();
                    assertThat(client.deleteSnapshot(id)).isTrue();
                } else {
                    assertRefused(404, "snapshot_deleted", created);
                }
            }
            assertThat(client.info(clone)).isEmpty();
            assertGone(id, "DELETED");
        }
    }

    private static final String LOST = "lost-in-a-race";
    private static final String TO_LOST = "worker = '" + LOST + "'";

    /**
     * The catalogue gives a worker up that goes on: its sandbox ends at once, and its capture is
     * saved or has failed, whoever comes first to its row. When the worker is heard of again it
     * ends the machine.
     */
    @Test
    @Tag("R161")
    @Tag("F8")
    @Tag("F9")
    @Tag("F20")
    void eitherSavesOrFailsACaptureWhoseWorkerIsLost() throws Exception {
        int length = lengthOfACapture();
        Native.update(
                "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                        + " unreachable_at, started_at, missing) values (?, 'gvisor systrap',"
                        + " 'amd64', 1, now() - interval '1 hour', now() - interval '1 hour', now(),"
                        + " 'it is not heard of')",
                LOST);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                loseTheWorkerOf(client.create("base", LIFE), RANDOM.nextInt(length));
            }
            // Its kills wait for it no longer than there may be anything for it to end; those of
            // long ago have not waited for this.
            assertThat(management.expireMessages("holdfast.runtime", TO_LOST)).isPositive();
            for (var queue : List.of("holdfast.runtime", "ExpiryQueue")) {
                await(queue + " has none of them", () -> management.messages(queue, TO_LOST) == 0);
            }
        } finally {
            management.removeMessages("holdfast.runtime", TO_LOST);
            Native.update("delete from worker where id = ?", LOST);
        }
    }

    private static void loseTheWorkerOf(Sandbox sandbox, int after) throws Exception {
        var upload = project.begin(sandbox.id(), Map.of("name", "orphan"));
        Thread.sleep(after);
        moveTo(LOST, sandbox.id());
        boolean reaped = RANDOM.nextBoolean();
        if (reaped) {
            management.job("reap-stalled-captures", Map.of());
        }
        management.job("reap-lost-workers", Map.of());
        assertThat(
                        assertRefused(
                                        404,
                                        "sandbox_not_found",
                                        answer(project.captureAsE2b(sandbox.id(), Map.of())))
                                .getString("endReason"))
                .isEqualTo("worker lost");

        var over = project.over(upload);
        var id = over.getString("snapshotId");
        if (over.getString("state").equals("done")) {
            var clone = sandbox(answer(restore(id)));
            assertThat(client.must(clone, "echo lives")).isEqualTo("lives\n");
            assertThat(client.kill(clone.id())).isTrue();
            assertThat(client.deleteSnapshot(id)).isTrue();
        } else {
            assertThat(over.getString("state")).isEqualTo("failed");
            assertThat(over.getString("reason")).isEqualTo("capture_failed");
            assertThat(over.getString("message"))
                    .containsAnyOf("its worker cannot be reached", "its machine has ended");
            assertThat(client.deleteSnapshot(id)).isFalse();
        }
        assertThat(
                        leavings.rows(
                                "select id::text from snapshot where name_held and short_name ="
                                        + " 'orphan'"))
                .as("who holds its name")
                .isEmpty();
        moveTo("worker-1", sandbox.id());
        Native.update(
                "update sandbox set ended_at = ended_at - interval '10 s' where id = ?",
                sandbox.id());
    }

    /** Rows of captures come before those of their sources, as whoever seals them has it. */
    private static void moveTo(String worker, String sandbox) throws Exception {
        try (var connection = Native.database();
                var snapshots =
                        connection.prepareStatement(
                                "update snapshot set worker_id = ? where source_sandbox_id = ?");
                var sandboxes =
                        connection.prepareStatement(
                                "update sandbox set worker_id = ? where id = ?")) {
            connection.setAutoCommit(false);
            for (var each : List.of(snapshots, sandboxes)) {
                each.setString(1, worker);
                each.setString(2, sandbox);
                each.executeUpdate();
            }
            connection.commit();
        }
    }

    /** Snapshots, the next one made while the last is raced for. */
    private static final class Supply {

        private int left;
        private CompletableFuture<HttpResponse<String>> next;

        Supply(int most) {
            left = most;
            begin();
        }

        String take() throws Exception {
            var taken = answer(next);
            assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
            begin();
            return snapshot(taken);
        }

        private void begin() {
            if (left-- > 0) {
                next = client.snapshotAsync(other, null);
            }
        }
    }

    private static CompletableFuture<HttpResponse<String>> restore(String snapshot) {
        return project.post("/v2/sandboxes", Map.of("templateID", snapshot, "timeout", 60));
    }

    private static Sandbox sandbox(HttpResponse<String> created) {
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        var json = new JsonPath(created.body());
        return new Sandbox(json.getString("sandboxID"), json.getString("envdAccessToken"));
    }

    private static void expire(String snapshot) throws Exception {
        Native.update(
                "update snapshot set expires_at = clock_timestamp() where id = ?::uuid", snapshot);
    }

    /** One run of each job that removes. */
    private static String runTheJobs() throws Exception {
        management.job("expire-snapshots", Map.of());
        return management.job("clean-up-objects", Map.of()).status();
    }

    /** Half of the restores then read the store. */
    private static void loseTheCopyNowAndThen(String snapshot) throws Exception {
        var copy = home.resolve("worker/images").resolve(snapshot);
        if (RANDOM.nextBoolean() && Files.exists(copy)) {
            try (var files = Files.list(copy)) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(copy);
        }
    }

    private static List<String> rowsOf(String snapshot, String column) throws Exception {
        return leavings.rows("select " + column + " from snapshot where id = '" + snapshot + "'");
    }

    /** After one run of the jobs. */
    private static void assertGone(String snapshot, String why) throws Exception {
        runTheJobs();
        assertThat(rowsOf(snapshot, "state || ' ' || coalesce(cleanup_error, '')")).isEmpty();
        assertThat(
                        leavings.rows(
                                "select reason from tombstone where snapshot_id = '"
                                        + snapshot
                                        + "'"))
                .containsExactly(why);
        assertThat(home.resolve("store/snapshots").resolve(snapshot)).doesNotExist();
    }

    /** From its acceptance to a little past its end, in milliseconds. */
    private static int lengthOfACapture() {
        var begin = Instant.now();
        client.deleteSnapshot(client.snapshot(source).id());
        return (int) Duration.between(begin, Instant.now()).toMillis() * 5 / 4;
    }

    private static int lengthOfARestore() {
        var id = client.snapshot(source).id();
        var begin = Instant.now();
        client.kill(client.create(id, LIFE).id());
        int length = (int) Duration.between(begin, Instant.now()).toMillis();
        client.deleteSnapshot(id);
        return length;
    }

    private static final String NOT_SAVED =
            "select s.id::text from snapshot s join project p on p.id = s.project_id"
                    + " and p.slug = '%s' where s.state <> 'SAVED'";

    private static final String MISCOUNTED =
            """
            select u.project_id::text from project_usage u
            join project p on p.id = u.project_id and p.slug = '%s' where
                (u.stored_bytes, u.stored_count) <> (
                    select coalesce(sum(s.stored_bytes), 0), count(*) from snapshot s
                    where s.project_id = u.project_id and s.kind <> 'PAUSE'
                      and s.state <> 'UPLOADING' and s.failure_reason is null)
                or u.paused_bytes <> (
                    select coalesce(sum(s.stored_bytes), 0) from snapshot s
                    where s.project_id = u.project_id and s.kind = 'PAUSE'
                      and s.state <> 'UPLOADING' and s.failure_reason is null)
            """;

    /** A race wants many rounds, and the usual run has no time for them. */
    private static int rounds() {
        int repeat = Integer.getInteger("holdfast.repeat", 2);
        return Integer.getInteger("holdfast.rounds", repeat <= 2 ? 2 : Math.max(200, repeat));
    }

    /** The answer to a request, while something else is done within some milliseconds of it. */
    private static HttpResponse<String> beside(
            Callable<?> act, Supplier<CompletableFuture<HttpResponse<String>>> request)
            throws Exception {
        int ahead = RANDOM.nextInt(-60, 60);
        var acting = started(Math.max(0, ahead), act);
        Thread.sleep(Math.max(0, -ahead));
        var answer = answer(request.get());
        acting.get(Native.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return answer;
    }

    private static FutureTask<?> started(int after, Callable<?> act) {
        var acting =
                new FutureTask<>(
                        () -> {
                            Thread.sleep(after);
                            return act.call();
                        });
        new Thread(acting, "beside").start();
        return acting;
    }

    /** Both within some milliseconds of one another, either first; the answers in their order. */
    private static List<HttpResponse<String>> atOnce(
            Supplier<CompletableFuture<HttpResponse<String>>> one,
            Supplier<CompletableFuture<HttpResponse<String>>> two)
            throws Exception {
        boolean inOrder = RANDOM.nextBoolean();
        var first = (inOrder ? one : two).get();
        Thread.sleep(RANDOM.nextInt(4));
        var second = (inOrder ? two : one).get();
        return inOrder
                ? List.of(answer(first), answer(second))
                : List.of(answer(second), answer(first));
    }

    private static HttpResponse<String> oneOf(List<HttpResponse<String>> answers, int status) {
        assertThat(answers)
                .as(answers.get(0).body() + answers.get(1).body())
                .filteredOn(answer -> answer.statusCode() == status)
                .hasSize(1);
        return answers.stream().filter(a -> a.statusCode() == status).findFirst().orElseThrow();
    }

    private static JsonPath assertRefused(int status, String reason, HttpResponse<String> answer)
            throws Exception {
        return Native.refused(status, reason, CompletableFuture.completedFuture(answer));
    }

    private static String snapshot(HttpResponse<String> capture) {
        return E2bClient.snapshot(capture.body()).id();
    }
}
