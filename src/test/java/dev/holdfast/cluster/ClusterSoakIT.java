package dev.holdfast.cluster;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.capture.Leavings;
import dev.holdfast.e2b.Crosswise;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.job.AdminClient;
import dev.holdfast.run.Cluster;
import dev.holdfast.run.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each part of an installation goes away and comes back while clients are at work; soak only. */
class ClusterSoakIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;
    private static final int PORT_OFFSET = 420;
    private static final int CALLERS = 2;

    /** A kill, two drains and two restarts. */
    private static final int DEPARTURES = 5;

    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final Duration OUTAGE = Duration.ofSeconds(20);
    private static final Duration SETTLING = Duration.ofMinutes(2);

    /** Of what goes away by itself, as an operator would run it to be sure. */
    private static final List<String> JOBS =
            List.of(
                    "reap-stalled-captures",
                    "reap-lost-workers",
                    "expire-snapshots",
                    "clean-up-objects",
                    "reconcile-usage",
                    "sweep-orphans");

    private final AtomicBoolean over = new AtomicBoolean();
    private final Ledger ledger = new Ledger(Caller.PATIENCE.plusSeconds(2));
    private Cluster cluster;
    private E2bClient client;
    private AdminClient admin;

    @AfterEach
    void leavesNothing() throws Exception {
        over.set(true);
        if (cluster == null) {
            return;
        }
        var instances = new HashMap<Path, String>();
        for (var worker : cluster.workers()) {
            instances.put(worker.home(), new Remains(cluster).of(worker).instance());
        }
        cluster.close();
        for (var left : instances.entrySet()) {
            Leavings.assertNothing(left.getKey(), left.getValue());
        }
        cluster.erase();
    }

    @Test
    void losesNothingWhateverGoesAway() throws Exception {
        assumeTrue(FULL, "minutes; with -Psoak");
        cluster = Cluster.start("cluster-soak", PORT_OFFSET, 2, Map.of());
        client = new E2bClient(cluster.api(), cluster.apiKey(), Caller.PATIENCE);
        admin = new AdminClient(cluster.api(), cluster.adminKey());
        var callers = new ArrayList<Customer>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new Caller(client, ledger, over::get, "caller " + i));
        }
        var packages = new Crosswise(cluster.api(), cluster.apiKey());
        packages.install();
        for (var started : List.of(packages.steadyJavascript(), packages.steadyPython())) {
            callers.add(Program.of(client, ledger, over::get, started));
        }
        load(callers);

        System.out.println(ledger);
        ledger.assertDocumented();
        ledger.assertUnbroken(DEPARTURES);
        ledger.assertInTime();
        for (var caller : callers) {
            await(caller.name() + " has its sandbox", SETTLING, () -> lives(caller));
        }
        for (var caller : callers) {
            caller.saved().forEach((id, content) -> Caller.assertRestores(client, id, content));
        }
        callers.forEach(Customer::end);
        assertNothingIsOrphaned();
    }

    private static boolean lives(Customer caller) throws Exception {
        caller.assertLives();
        return true;
    }

    /** The callers go on until everything has been away once, and for the whole time. */
    private void load(List<Customer> callers) throws Exception {
        var threads = Executors.newFixedThreadPool(callers.size());
        try {
            var begin = Instant.now();
            var working = new ArrayList<Future<Void>>();
            callers.forEach(caller -> working.add(threads.submit(caller)));
            takePartsAway(working);
            long captures = ledger.done("capture");
            long restores = ledger.done("restore");
            while (Instant.now().isBefore(begin.plus(LENGTH))) {
                pass(Duration.ofSeconds(1), working);
            }
            await("captures go on", SETTLING, () -> ledger.done("capture") > captures);
            await("restores go on", SETTLING, () -> ledger.done("restore") > restores);
            over.set(true);
            for (var each : working) {
                each.get(Caller.PATIENCE.multipliedBy(4).toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    private void takePartsAway(List<Future<Void>> working) throws Exception {
        var workers = cluster.workers();
        goOn(working);
        tell("kills worker a");
        workers.get(0).killHard();
        pass(OUTAGE, working);
        workers.get(0).start();
        goOn(working);

        tell("stops the broker");
        cluster.broker().stop();
        pass(OUTAGE, working);
        cluster.broker().start();
        goOn(working);

        tell("stops the database");
        cluster.stopDatabase();
        pass(OUTAGE, working);
        cluster.startDatabase();
        goOn(working);

        for (var worker : workers) {
            tell("drains " + worker.name());
            drain(worker);
            worker.restart();
            goOn(working);
        }
        for (var control : cluster.controls()) {
            tell("restarts " + control.name());
            control.restart();
            goOn(working);
        }
        tell("has everything back");
    }

    /** With what is there they work. */
    private void goOn(List<Future<Void>> working) throws Exception {
        long before = ledger.done("command");
        pass(QUIET, working);
        assertThat(ledger.done("command")).as("what is done meanwhile").isGreaterThan(before);
    }

    private static void tell(String what) {
        System.out.println(Instant.now() + " " + what);
    }

    /** Whoever finds something wrong ends the wait. */
    private static void pass(Duration time, List<Future<Void>> working) throws Exception {
        var end = Instant.now().plus(time);
        while (Instant.now().isBefore(end)) {
            for (var each : working) {
                if (each.isDone()) {
                    each.get();
                }
            }
            Thread.sleep(200);
        }
    }

    /** Returns when nothing runs there any more; a worker that starts takes sandboxes again. */
    private void drain(Node worker) throws Exception {
        var path = "/workers/" + worker.name();
        expect(200, admin.put(path + "/drain"));
        await(
                worker.name() + " is drained",
                SETTLING,
                () -> expect(200, admin.get(path)).getString("state"),
                "drained"::equals);
    }

    private void assertNothingIsOrphaned() throws Exception {
        await("every sandbox has ended", SETTLING, () -> client.sandboxes(), List::isEmpty);
        for (var job : JOBS) {
            run(job);
        }
        new Remains(cluster).assertNothingIsOrphaned();
    }

    private void run(String job) throws Exception {
        var path = "/jobs/" + job + "/executions";
        var id = expect(202, admin.post(path, Map.of())).getString("id");
        await(
                job + " has run",
                SETTLING,
                () -> expect(200, admin.get(path + "/" + id)).getString("status"),
                "completed"::equals);
    }
}
