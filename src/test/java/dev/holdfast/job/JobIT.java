package dev.holdfast.job;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Management;
import dev.holdfast.run.Options;
import dev.holdfast.run.SharedServer;
import dev.holdfast.storage.Disk;
import io.restassured.path.json.JsonPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jboss.dmr.ModelNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs over the API and the CLI, against one another, and with many rows. */
class JobIT {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final int ROUNDS = REPEAT < 10 ? 1 : 50;
    private static final int MANY = REPEAT < 10 ? 500 : 100_000;
    private static final String PURGES = "/jobs/purge-trash/executions/";
    private static final long MEBIBYTE = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(REPEAT < 10 ? 1 : 20);

    private static AdminClient admin;
    private static Management management;
    private static String database;
    private static Path stray;

    private Snapshots rows;

    @BeforeAll
    static void connects() throws Exception {
        var server = SharedServer.get();
        database = server.databaseUrl();
        admin = new AdminClient(server);
        management = new Management(server);
        // A store without objects judges no snapshot.
        var directory = server.options().home().resolve("store/snapshots/" + UUID.randomUUID());
        stray = Files.writeString(Files.createDirectories(directory).resolve("pages.img"), "0");
    }

    @AfterAll
    static void disconnects() throws Exception {
        Files.delete(stray);
        Files.delete(stray.getParent());
        management.close();
    }

    @BeforeEach
    void begins() throws Exception {
        rows = new Snapshots(database);
    }

    @AfterEach
    void leavesNothing() throws Exception {
        rows.close();
    }

    @Test
    void listsEveryJobToWhoeverAdministersTheService() {
        JsonPath all = expect(200, admin.get("/jobs"));
        assertThat(all.getList("jobs.job", String.class))
                .containsExactlyElementsOf(Arrays.stream(Job.values()).map(Job::id).toList());
        JsonPath expire = expect(200, admin.get("/jobs/expire-snapshots"));
        assertThat(expire.getString("calendar")).isEqualTo("*/2 * *");
        assertThat(Instant.parse(expire.getString("nextRunAt")))
                .isBetween(Instant.now().minusSeconds(5), Instant.now().plusSeconds(5));
        assertThat(expire.getList("parameters.name", String.class))
                .containsExactly("project", "olderThan", "chunkSize", "dryRun");
        assertThat(expire.getString("parameters[2].preset")).isEqualTo("100");
        JsonPath manual = expect(200, admin.get("/jobs/import-catalogue"));
        assertThat(manual.getString("calendar")).isNull();
        assertThat(manual.getString("nextRunAt")).isNull();

        assertRefused(404, "job_not_found", admin.get("/jobs/format-disk"));
        assertRefused(404, "execution_not_found", admin.get("/jobs/purge-blobs/executions/0"));
        assertRefused(404, "execution_not_found", admin.get("/jobs/purge-blobs/executions/x"));
        assertRefused(400, "invalid_parameter", admin.get("/jobs/purge-blobs/executions?limit=0"));
        assertRefused(400, "invalid_parameter", admin.get("/jobs/purge-blobs/findings?after=%20"));
        var project = given().header("X-API-Key", SharedServer.apiKey());
        assertRefused(
                403, "permission_missing", project.get(SharedServer.api() + "/api/v1/admin/jobs"));
    }

    @Test
    void refusesParametersBeforeAnythingIsDone() throws Exception {
        for (Map<String, ?> wrong :
                List.<Map<String, ?>>of(
                        Map.of("dryRun", "perhaps"),
                        Map.of("olderThan", "yesterday"),
                        Map.of("chunkSize", 0),
                        Map.of("project", "default"),
                        Map.of("dryrun", true),
                        Map.of("olderThan", List.of(1)))) {
            var refused =
                    admin.post("/jobs/expire-snapshots/executions", Map.of("parameters", wrong));
            assertRefused(400, "invalid_parameter", refused);
            assertThat(refused.jsonPath().getString("parameter"))
                    .isEqualTo(wrong.keySet().iterator().next());
        }
        var beside = admin.post("/jobs/expire-snapshots/executions", Map.of("dryRun", true));
        assertRefused(400, "invalid_parameter", beside);
        assertThat(beside.jsonPath().getString("parameter")).isEqualTo("dryRun");
        var run = management.job("expire-snapshots", Map.of("chunkSize", "many"));
        assertThat(run.status()).isEqualTo("FAILED");
        assertThat(run.found()).contains("\"chunkSize\" is a whole number from 1 to 1000");
    }

    /** While somebody holds the rows every other run waits; a dry one holds nothing. */
    @Test
    void saysInADryRunWhatItWouldDo() throws Exception {
        rows.save(3, "now() - interval '1 hour'");
        rows.save(2, "now() - interval '1 minute'");
        rows.hold("select 1 from snapshot where project_id = '" + rows.project() + "' for update");
        var dry = Map.of("dryRun", "true", "project", rows.project(), "chunkSize", "2");
        var run = management.job("expire-snapshots", dry);
        assertThat(run.found()).isEqualTo("would expire 5 (5000 bytes)");
        var old = new HashMap<>(dry);
        old.put("olderThan", "PT30M");
        assertThat(management.job("expire-snapshots", old).found())
                .isEqualTo("would expire 3 (3000 bytes)");
        assertThat(rows.count("state = 'SAVED' and version = 0")).isEqualTo(5);
        rows.release();
        await("all have gone", () -> rows.tombstones() == 5);
        assertThat(rows.usage()).isEqualTo("0 0");
    }

    @Test
    @Tag("F18")
    void stopsAndRestartsWhatIsUnderWay() throws Exception {
        rows.save(3, "now() + interval '1 day'");
        rows.sql(
                "update snapshot set parts_checked_at = 'epoch' where project_id = '"
                        + rows.project()
                        + "'");
        rows.hold("select 1 from snapshot where project_id = '" + rows.project() + "' for update");
        var order = Map.of("parameters", Map.of("unread", "PT0S", "most", 3));
        var started = admin.post("/jobs/verify-parts/executions", order);
        var id = expect(202, started).getString("id");
        var place = started.header("Location");
        assertThat(place).endsWith("/jobs/verify-parts/executions/" + id);
        var path = place.substring(place.indexOf("/jobs"));
        await("it is under way", () -> status(path).equals("started"));
        var execution = expect(200, admin.get(path));
        assertThat(execution.getMap("parameters")).isEqualTo(Map.of("unread", "PT0S", "most", "3"));
        assertThat(execution.getString("node")).isEqualTo("worker-1");
        var again = admin.post("/jobs/verify-parts/executions", order);
        assertRefused(409, "job_running", again);
        assertThat(again.jsonPath().getString("execution")).isEqualTo(id);
        assertRefused(409, "execution_not_restartable", admin.post(path + "/restart"));

        expect(202, admin.post(path + "/stop"));
        rows.release();
        await("it is stopped", () -> status(path).equals("stopped"));
        assertRefused(409, "execution_not_running", admin.post(path + "/stop"));
        var restarted = admin.post(path + "/restart");
        var next = expect(202, restarted).getString("id");
        assertThat(next).isNotEqualTo(id);
        var second = "/jobs/verify-parts/executions/" + next;
        await("it goes on", () -> status(second).equals("completed"));
        var done = expect(200, admin.get(second));
        assertThat(done.getString("outcome")).contains("parts_missing");
        assertThat(done.getString("endedAt")).isNotNull();

        assertRefused(409, "execution_not_restartable", admin.post(path + "/restart"));
        assertRefused(409, "execution_not_restartable", admin.post(second + "/restart"));

        var page = expect(200, admin.get("/jobs/verify-parts/executions?limit=1"));
        assertThat(page.getList("executions.id", String.class)).containsExactly(next);
        var behind =
                expect(
                        200,
                        admin.get(
                                "/jobs/verify-parts/executions?limit=1&after="
                                        + page.getString("next")));
        assertThat(behind.getList("executions.id", String.class)).containsExactly(id);
        var found = expect(200, admin.get("/jobs/verify-parts/findings?limit=1"));
        assertThat(found.getString("findings[0].reason")).isEqualTo("parts_missing");
    }

    /** Whether it was started past the API, or left by an earlier life of this node. */
    @Test
    @Tag("R53")
    @Tag("F10")
    void runsAloneWhoeverStartsOrResumesIt() throws Exception {
        holdUnread();
        var order = Map.of("parameters", Map.of("unread", "PT0S", "most", 3));
        var id = expect(202, admin.post("/jobs/verify-parts/executions", order)).getString("id");
        var path = "/jobs/verify-parts/executions/" + id;
        await("it is under way", () -> status(path).equals("started"));
        var past = management.job("verify-parts", Map.of());
        assertThat(past.status()).isEqualTo("FAILED");
        assertThat(past.found()).contains("is under way as execution " + id);
        var left = leave(id, "worker-1");
        await("it is given up", () -> !status(place(left)).equals("started"));
        assertThat(outcome(left)).isEqualTo("its server ended; execution " + id + " does the same");
        assertThat(underWay()).containsExactly(id);

        rows.release();
        await("it is done", () -> status(path).equals("completed"));
        var free = leave(id, "worker-1");
        await("it is gone on with", () -> !status(place(free)).equals("started"));
        assertThat(outcome(free)).matches("its server ended; execution \\d+ goes on");
        await("its next one is done", () -> underWay().isEmpty());
    }

    private void holdUnread() throws Exception {
        rows.save(3, "now() + interval '1 day'");
        rows.sql(
                "update snapshot set parts_checked_at = 'epoch' where project_id = '"
                        + rows.project()
                        + "'");
        rows.hold("select 1 from snapshot where project_id = '" + rows.project() + "' for update");
    }

    /** As one that a former life of a node left in the middle, like another execution. */
    private String leave(String like, String node) throws Exception {
        return rows.besides(
                "with instance as (insert into job_instance (version, jobname, applicationname)"
                        + " select i.version, i.jobname, i.applicationname from job_instance i"
                        + " join job_execution e on e.jobinstanceid = i.jobinstanceid"
                        + " where e.jobexecutionid = "
                        + like
                        + " returning jobinstanceid), execution as (insert into job_execution"
                        + " (jobinstanceid, version, createtime, starttime, lastupdatedtime,"
                        + " batchstatus) select jobinstanceid, 0, now(), now(), now(), 'STARTED'"
                        + " from instance returning jobexecutionid) insert into job_run"
                        + " (execution_id, worker_id, incarnation) select jobexecutionid, '"
                        + node
                        + "', gen_random_uuid() from execution returning execution_id");
    }

    private List<String> underWay() throws Exception {
        var all =
                rows.besides(
                        "select string_agg(e.jobexecutionid::text, ' ') from job_execution e"
                                + " join job_instance i on i.jobinstanceid = e.jobinstanceid"
                                + " where i.jobname = 'verify-parts'"
                                + " and e.batchstatus in ('STARTING', 'STARTED', 'STOPPING')");
        return all == null ? List.of() : List.of(all.split(" "));
    }

    private static String place(String execution) {
        return "/jobs/verify-parts/executions/" + execution;
    }

    private static String outcome(String execution) {
        return expect(200, admin.get(place(execution))).getString("outcome");
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, ROUNDS);
    }

    /** Beside the timer's own: every row goes once, whoever takes it. */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R52")
    @Tag("R53")
    @Tag("R67")
    @Tag("F10")
    void sharesTheWorkWithAnotherExecution(int round) throws Exception {
        race(SharedServer.get(), SharedServer.get());
    }

    /** The same between two nodes with one database, where there is the time to start another. */
    @Test
    @Tag("R52")
    @Tag("R53")
    @Tag("F10")
    void sharesTheWorkWithAnotherNode() throws Exception {
        assumeTrue(REPEAT >= 10, "only with the full counts");
        var second = LocalServer.of(anotherNode()).forget();
        try {
            second.start();
            for (int round = 1; round <= ROUNDS; round++) {
                race(SharedServer.get(), second);
                rows.close();
                rows = new Snapshots(database);
            }
        } finally {
            second.stop();
            second.erase();
        }
    }

    /**
     * Two nodes are told to start and to resume the same at the same moment, past the API, while
     * their timers ring beside that.
     */
    @Test
    @Tag("R53")
    @Tag("F10")
    void runsAloneOnTwoNodes() throws Exception {
        assumeTrue(REPEAT >= 10, "only with the full counts");
        var second = LocalServer.of(anotherNode()).forget();
        try {
            second.start();
            for (int round = 1; round <= ROUNDS; round++) {
                runAlone(second);
                rows.close();
                rows = new Snapshots(database);
            }
            assertThat(overlaps()).as("executions that ran beside each other").isEqualTo("0");
        } finally {
            rows.release();
            second.stop();
            second.erase();
        }
    }

    private void runAlone(LocalServer second) throws Exception {
        holdUnread();
        var most = Map.of("unread", "PT0S", "most", "3");
        var both =
                List.of(SharedServer.get(), second).stream()
                        .map(
                                server ->
                                        CompletableFuture.supplyAsync(
                                                () -> run(server, "verify-parts", most)))
                        .toList();
        var refused = CompletableFuture.anyOf(both.toArray(CompletableFuture[]::new)).join();
        assertThat(((Management.Run) refused).status()).isEqualTo("FAILED");
        await("one is left", () -> underWay().size() == 1);
        var id = underWay().get(0);
        var left = List.of(leave(id, "worker-1"), leave(id, "worker-2"));
        await("both are given up", () -> underWay().equals(List.of(id)));
        for (var each : left) {
            assertThat(outcome(each)).contains("execution " + id + " does the same");
        }
        rows.release();
        assertThat(both.stream().map(each -> each.join().status()))
                .containsExactlyInAnyOrder("COMPLETED", "FAILED");
    }

    /** It is killed in the middle of a chunk, behind two that are done. */
    @Test
    @Tag("R53")
    @Tag("F10")
    void finishesWhatAnotherNodeBeganThatDies() throws Exception {
        var second = LocalServer.of(anotherNode()).forget();
        try {
            second.start();
            for (int round = 1; round <= (REPEAT < 10 ? 1 : 5); round++) {
                var left = beginsToPurge(second);
                second.killHard();
                var next = takenOver(left);
                rows.release();
                assertThat(finished(next))
                        .as("with what was done before")
                        .isEqualTo("purged 30 of 30");
                if (REPEAT >= 10) {
                    second.restart();
                }
            }
        } finally {
            rows.release();
            second.stop();
            second.erase();
        }
    }

    /** By mistake: each is a node, and neither takes the other's name or what it runs. */
    @Test
    @Tag("R53")
    @Tag("F10")
    void leavesAloneWhatAnotherNodeOfItsNameRuns() throws Exception {
        management.job("purge-trash", Map.of("dryRun", "true"));
        var like =
                rows.value(
                        "select max(e.jobexecutionid) from job_execution e join job_instance i"
                                + " on i.jobinstanceid = e.jobinstanceid"
                                + " where i.jobname = 'purge-trash'");
        var its = leave(like, "worker-1");
        rows.sql(
                "insert into job_node (id, incarnation, lease_until, instance) select worker_id,"
                        + " incarnation, now() + interval '1 hour', 'none' from job_run"
                        + " where execution_id = "
                        + its);
        var nobodys = leave(like, "worker-1");

        await("what nobody runs is given up", () -> written(nobodys).equals("FAILED"));
        assertThat(written(its)).isEqualTo("STARTED");
        assertThat(
                        rows.value(
                                "select count(*) from job_node where id = 'worker-1'"
                                        + " and lease_until > now()"))
                .as("nodes of this name that live")
                .isEqualTo("2");

        rows.sql(
                "update job_node set lease_until = now() where incarnation ="
                        + " (select incarnation from job_run where execution_id = "
                        + its
                        + ")");
        await("what it ran is given up", () -> written(its).equals("FAILED"));
    }

    private String written(String execution) throws Exception {
        return rows.value(
                "select batchstatus from job_execution where jobexecutionid = " + execution);
    }

    /** Nobody hears of it for a while, and when it goes on others are at what it was at. */
    @Test
    @Tag("R53")
    @Tag("F10")
    void goesOnWithoutANodeThatIsSilent() throws Exception {
        assumeTrue(REPEAT >= 10, "only with the full counts");
        var second = LocalServer.of(anotherNode()).forget();
        try {
            second.start();
            var left = beginsToPurge(second);
            signal(second, "STOP");
            String next;
            try {
                next = takenOver(left);
            } finally {
                signal(second, "CONT");
            }
            rows.release();
            // What it was at it may have finished; all the rest is the other's.
            assertThat(finished(next)).matches("purged (25|30) of 30");
            await("nobody runs it", () -> purging() == 0);
            assertThat(rows.count("state = 'TRASHED'")).isZero();
        } finally {
            rows.release();
            second.stop();
            second.erase();
        }
    }

    /** Two chunks of it are done, and the third waits for a row that somebody holds. */
    private String beginsToPurge(LocalServer second) throws Exception {
        rows.close();
        rows = new Snapshots(database);
        rows.save(30, "now() + interval '1 day'");
        // The timer's own run, once a minute, would do the same.
        await(
                "it is long until the timer rings",
                () -> (95 - Instant.now().getEpochSecond() % 60) % 60 >= 20);
        rows.sql(
                "update snapshot s set state = 'TRASHED', removal_reason = 'DELETED', removed_at ="
                        + " now(), cleanup_after = 'epoch'::timestamptz + n.place * interval '1 s'"
                        + " from (select id, row_number() over (order by id) as place from snapshot"
                        + " where project_id = '"
                        + rows.project()
                        + "') n where n.id = s.id");
        rows.hold("select 1 from snapshot where id = '" + rows.ids().get(12) + "' for update");
        var order = Map.of("parameters", Map.of("project", rows.project(), "chunkSize", 5));
        var started = new AdminClient(second).post("/jobs/purge-trash/executions", order);
        var id = expect(202, started).getString("id");
        await("two chunks are done", () -> rows.count("state = 'TRASHED'") == 20);
        assertThat(expect(200, admin.get(PURGES + id)).getString("node")).isEqualTo("worker-2");
        return id;
    }

    private String takenOver(String left) throws Exception {
        var place = PURGES + left;
        await("it is gone on with", () -> status(place).equals("failed"));
        var outcome = expect(200, admin.get(place)).getString("outcome");
        assertThat(outcome).matches("its server ended; execution \\d+ goes on");
        assertThat(
                        rows.besides(
                                "select count(*) from job_execution where jobinstanceid = (select"
                                        + " jobinstanceid from job_execution where jobexecutionid = "
                                        + left
                                        + ")"))
                .as("executions of it, on all nodes")
                .isEqualTo("2");
        return outcome.replaceAll("\\D", "");
    }

    private String finished(String execution) throws Exception {
        await("it is done", () -> status(PURGES + execution).equals("completed"));
        var done = expect(200, admin.get(PURGES + execution));
        assertThat(done.getString("node")).isEqualTo("worker-1");
        return done.getString("outcome");
    }

    private long purging() throws Exception {
        return Long.parseLong(
                rows.value(
                        "select count(*) from job_execution e join job_instance i"
                                + " on i.jobinstanceid = e.jobinstanceid where i.jobname ="
                                + " 'purge-trash' and e.batchstatus in ('STARTING', 'STARTED',"
                                + " 'STOPPING')"));
    }

    private static void signal(LocalServer server, String name) throws Exception {
        var process = Files.readString(server.options().home().resolve("server.pid")).strip();
        assertThat(new ProcessBuilder("kill", "-" + name, process).start().waitFor()).isZero();
    }

    private String overlaps() throws Exception {
        return rows.value(
                "select count(*) from step_execution a join step_execution b"
                        + " on a.stepname = b.stepname and a.jobexecutionid < b.jobexecutionid"
                        + " and a.starttime < b.endtime and b.starttime < a.endtime"
                        + " where not (a.stepname = any (string_to_array('"
                        + Arrays.stream(Job.values())
                                .filter(Job::isStartableTwice)
                                .map(Job::id)
                                .collect(joining(","))
                        + "', ',')))");
    }

    /** It has the shared server's database, store and settings, and no sandboxes. */
    private static Options anotherNode() throws Exception {
        return AnotherNode.beside("node", 900, Map.of("HOLDFAST_JOB_LEASE", "PT4S"));
    }

    private void race(LocalServer... servers) throws Exception {
        rows.save(300, "now()");
        rows.save(1, "now() + interval '1 year'");
        for (var job : List.of("expire-snapshots", "clean-up-objects")) {
            var runs =
                    Arrays.stream(servers)
                            .map(
                                    server ->
                                            CompletableFuture.supplyAsync(
                                                    () ->
                                                            run(
                                                                    server,
                                                                    job,
                                                                    Map.of("chunkSize", "7"))))
                            .toList();
            for (var each : runs) {
                assertThat(each.join().status()).isEqualTo("COMPLETED");
            }
        }
        await("the objects have gone", () -> rows.tombstones() == 300);
        assertThat(rows.usage()).isEqualTo("1 1000");
        assertThat(rows.count("version = 0")).isEqualTo(1);
        assertThat(
                        rows.value(
                                "select count(*) from step_execution s join job_execution e on"
                                        + " e.jobexecutionid = s.jobexecutionid where e.createtime >"
                                        + " now() - interval '20 seconds' and s.writeskipcount +"
                                        + " s.rollbackcount > 0 and s.stepname in ('expire-snapshots',"
                                        + " 'clean-up-objects')"))
                .as("nothing failed on the way")
                .isEqualTo("0");
    }

    @Test
    @Tag("F22")
    void writesWhatCanBeWrittenAlthoughOthersFailEachTime() throws Exception {
        rows.save(3, "now() + interval '1 day'");
        var ids = rows.ids();
        var whole = stored(ids.get(2)).resolve("manifest.json");
        Files.writeString(
                Files.createDirectories(whole.getParent()).resolve(whole.getFileName()), "{}");
        rows.sql(
                "update snapshot set change_number = 1 where project_id = '"
                        + rows.project()
                        + "'");
        var two = Map.of("most", "2");
        await(
                "the one that can be written",
                () ->
                        management.job("write-amendments", two).status().equals("COMPLETED")
                                && rows.count("stored_change = 1") == 1);
        assertThat(rows.count("amend_attempts = 1 and amend_after > now()")).isEqualTo(2);
        assertThat(rows.count("id = '" + ids.get(2) + "' and amend_attempts = 0")).isEqualTo(1);
        Disk.deleteTree(whole.getParent());
    }

    /**
     * In the order in which they are due the second could be held by another node, which waits for
     * the first. What stands in the way of their objects is a file where their directory would be.
     */
    @Test
    @Tag("F24")
    void locksWhatCouldNotBeRemovedInTheOrderOfAllOthers() throws Exception {
        rows.save(2, "now()");
        rows.sql(
                "update snapshot set state = 'CLEANUP_PENDING', removal_reason = 'DELETED',"
                        + " removed_at = now(), cleanup_after = now() + interval '1 hour'"
                        + " where project_id = '"
                        + rows.project()
                        + "'");
        var ids = rows.ids();
        for (var id : ids) {
            Files.writeString(stored(id), "in the way");
        }
        for (var id : List.of(ids.get(1), ids.get(0))) {
            rows.sql(
                    "update snapshot set cleanup_after = now() + interval '5 seconds' where id = '"
                            + id
                            + "'");
        }
        rows.hold("select 1 from snapshot where id = '" + ids.get(0) + "' for update");
        await(
                "somebody waits",
                () ->
                        !"0"
                                .equals(
                                        rows.besides(
                                                "select count(*) from pg_stat_activity where"
                                                        + " pg_blocking_pids(pid) @> array["
                                                        + rows.value("select pg_backend_pid()")
                                                        + "]")));
        assertThat(
                        rows.besides(
                                "select count(*) from (select 1 from snapshot where id = '"
                                        + ids.get(1)
                                        + "' for update nowait) free"))
                .isEqualTo("1");
        rows.release();
        await("both are put off", () -> rows.count("cleanup_attempts = 1") == 2);
        for (var id : ids) {
            Files.delete(stored(id));
        }
    }

    private static Path stored(String id) {
        return SharedServer.get().options().home().resolve("store/snapshots").resolve(id);
    }

    /**
     * Memory is what is live after a collection, looked at while the job is under way: of few rows
     * it says nothing. What was kept of each row would be more in the second half than in the
     * first.
     */
    @Test
    @Tag("F7")
    void expiresAnyNumberInOneRunWithSteadyMemory() throws Exception {
        rows.save(MANY, "now() + interval '1 hour'");
        var run = expiresAlone();
        long early = 0;
        long late = 0;
        while (MANY > 10_000 && !run.isDone()) {
            long live = management.liveHeap();
            if (rows.count("state = 'SAVED'") > MANY / 2) {
                early = Math.max(early, live);
            } else {
                late = Math.max(late, live);
            }
            Thread.sleep(500); // a collection stops the job as well
        }
        assertThat(run.join().status()).isEqualTo("COMPLETED");
        assertThat(run.join().found())
                .as("by this run alone")
                .isEqualTo("expired %d of %d", MANY, MANY);
        assertThat(rows.count("state = 'SAVED'")).as("left").isZero();
        if (MANY > 10_000) {
            assertThat(late).as("looked at in the second half").isPositive();
            assertThat((late - early) / MEBIBYTE)
                    .as("MiB of live memory in the second half beyond the first, " + early)
                    .isLessThan(16);
            await("all objects have gone", PATIENCE, () -> rows.tombstones() == MANY);
        }
        assertThat(
                        rows.value(
                                "select count(*) from audit_entry where action = 'snapshot.expire'"
                                        + " and project_id = '"
                                        + rows.project()
                                        + "'"))
                .isEqualTo("" + MANY);
    }

    /** All rows have expired and no timer's run has begun: while this one is at them none does. */
    private CompletableFuture<Management.Run> expiresAlone() throws Exception {
        try (var held = new HeldStarts(database, Job.EXPIRE_SNAPSHOTS)) {
            rows.sql(
                    "update snapshot set expires_at = now() where project_id = '"
                            + rows.project()
                            + "'");
            var run =
                    CompletableFuture.supplyAsync(
                            () ->
                                    run(
                                            SharedServer.get(),
                                            "expire-snapshots",
                                            Map.of("project", rows.project())));
            await("it is ordered", () -> held.underWay() == 1);
            return run;
        }
    }

    /** The lines are what a person pastes; an execution's ID stands in for its word. */
    @Test
    void thePageForTheAdministratorSaysWhatTheCliTakes() throws Exception {
        var readme = Files.readString(Path.of("README.md"));
        var page =
                readme.substring(
                        readme.indexOf("## For the batch administrator"),
                        readme.indexOf("## What works"));
        var lines =
                Pattern.compile("```cli\n(.*?)```", Pattern.DOTALL)
                        .matcher(page)
                        .results()
                        .flatMap(block -> block.group(1).lines())
                        .toList();
        assertThat(lines).hasSizeGreaterThan(20);
        rows.save(1, "now() + interval '1 year'");
        rows.sql(
                "update snapshot set parts_checked_at = 'epoch' where project_id = '"
                        + rows.project()
                        + "'");
        rows.hold("select 1 from snapshot where project_id = '" + rows.project() + "' for update");
        try (var cli = new Cli(SharedServer.get())) {
            var execution = "";
            var shown = new ModelNode();
            for (var line : lines) {
                var answer = cli.run(line.replace("EXECUTION", execution));
                shown.get(line.replaceAll("^.*/|:.*$", "")).set(answer.get("result"));
                if (line.contains("job-xml-name=verify-parts")) {
                    execution = answer.get("result").asString();
                    var path = "/jobs/verify-parts/executions/" + execution;
                    await("it reads", () -> status(path).equals("started"));
                }
                if (line.startsWith(":stop-job")) {
                    rows.release();
                    var path = "/jobs/verify-parts/executions/" + execution;
                    await("it is stopped", () -> status(path).equals("stopped"));
                }
            }
            assertThat(shown.get("statistics=pool").hasDefined("InUseCount")).isTrue();
            assertThat(shown.get("stateless-session-bean=Removals").hasDefined("pool-max-size"))
                    .isTrue();
            assertThat(shown.get("singleton-bean=JobSchedule").get("timers").asList())
                    .anyMatch(timer -> timer.hasDefined("next-timeout"));
            assertThat(shown.get("deployment=holdfast.war").get("status").asString())
                    .isEqualTo("OK");
        }
    }

    private static Management.Run run(
            LocalServer server, String job, Map<String, String> parameters) {
        try (var own = new Management(server)) {
            return own.job(job, parameters, PATIENCE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String status(String path) {
        return expect(200, admin.get(path)).getString("status");
    }
}
