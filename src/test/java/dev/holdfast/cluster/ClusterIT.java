package dev.holdfast.cluster;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.capture.Leavings;
import dev.holdfast.e2b.Crosswise;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bRefusal;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.e2b.Programs;
import dev.holdfast.run.Cluster;
import dev.holdfast.run.Node;
import dev.holdfast.storage.Sha256;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two controls and two workers. The tests are one story: the first fills both workers, and the
 * others make room where they need it.
 */
@TestMethodOrder(OrderAnnotation.class)
class ClusterIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;

    /** Four servers have no place beside those of the usual run: it is asked for by its name. */
    private static final boolean ASKED = FULL || System.getProperty("it.test") != null;

    private static final int PORT_OFFSET = 400;
    private static final int SANDBOXES = 20;
    private static final Duration LIFE = Duration.ofHours(1);

    /** One or two tests of each area; the usual run is short. */
    private static final String EACH_AREA =
            String.join(
                    "|",
                    "a command gives output",
                    "input goes in by the handle",
                    "a PTY is a terminal",
                    "text of any alphabet is written",
                    "several files go in one call",
                    "a signed URL reads a file",
                    "a signed URL writes a file",
                    "a watch tells of files",
                    "a repository is made",
                    "metrics say what",
                    "pause keeps memory, processes",
                    "a snapshot starts sandboxes",
                    "a fork has the live state",
                    "a volume is seen by two",
                    "files of a volume are reached",
                    "a web server in the sandbox",
                    "an answer streams out",
                    "code runs, and the next piece",
                    "results come in every format");

    private static final List<String> PROGRAMS =
            List.of(
                    "js-2.51/js/commands",
                    "js-2.51/js/pty",
                    "js-2.51/js/files",
                    "js-2.51/js/signing",
                    "js-2.51/js/watch",
                    "js-2.51/js/git",
                    "js-2.51/js/metrics",
                    "js-2.51/js/life",
                    "js-2.51/js/snapshot",
                    "js-2.51/js/fork",
                    "js-2.51/js/volume",
                    "js-2.51/js/network",
                    "interpreter-2.8/code-interpreter");

    /** What looks at the host of the one server that it takes for granted. */
    private static final List<String> OF_ONE_HOST =
            List.of("js-2.51/isolation", "js-2.51/tls", "js-2.51/network", "python/test_network");

    /** All but what plays the world outside that host. */
    private static final String ON_ANY_HOST =
            "^(?!without internet|what is denied|the policy of a|a policy goes with)";

    private static Cluster cluster;
    private static E2bClient client;
    private static Leavings rows;
    private static final List<Sandbox> sandboxes = Collections.synchronizedList(new ArrayList<>());
    private static CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);

    @BeforeAll
    static void starts() throws Exception {
        assumeTrue(ASKED, "it is run by -Dit.test=ClusterIT, and with the full counts");
        cluster =
                Cluster.start(
                        "cluster",
                        PORT_OFFSET,
                        2,
                        Set.of("worker-b"),
                        Map.of("HOLDFAST_WORKER_SANDBOXES", Integer.toString(SANDBOXES / 2)));
        client = new E2bClient(cluster.api(), cluster.apiKey());
        rows = new Remains(cluster).of(cluster.workers().get(0));
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (cluster == null) {
            return;
        }
        restart.exceptionally(failed -> null).join();
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
    @Order(1)
    void spreadsSandboxesOverBothWorkers() throws Exception {
        var callers = Executors.newFixedThreadPool(4);
        try {
            var made =
                    IntStream.range(0, SANDBOXES)
                            .mapToObj(i -> CompletableFuture.runAsync(() -> open(i), callers))
                            .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(made).join();
        } finally {
            callers.shutdown();
        }
        assertThat(
                        rows.rows(
                                "select worker_id || ' ' || count(*) from sandbox"
                                        + " where state = 'RUNNING' group by worker_id order by 1"))
                .containsExactly("worker-a " + SANDBOXES / 2, "worker-b " + SANDBOXES / 2);
        assertThatThrownBy(() -> client.create("base", LIFE))
                .isInstanceOfSatisfying(
                        E2bRefusal.class,
                        refusal -> {
                            assertThat(refusal.status()).isEqualTo(503);
                            assertThat(refusal.body()).contains("worker_busy");
                        });
    }

    private static void open(int number) {
        var sandbox = client.create("base", LIFE);
        sandboxes.add(sandbox);
        assertThat(client.must(sandbox, "echo sandbox " + number))
                .isEqualTo("sandbox " + number + "\n");
    }

    /** One package keeps it on one worker, the other goes on with it on the other one. */
    @Test
    @Order(2)
    void capturesOnOneWorkerAndRestoresOnTheOther() throws Exception {
        var packages = new Crosswise(cluster.api(), cluster.apiKey());
        packages.install();
        endOneOn("worker-a");
        var saved = packages.javascript("save", "42");
        assertThat(rows.rows("select worker_id from snapshot where id = '" + saved + "'"))
                .as("captured on")
                .containsExactly("worker-a");

        sandboxes.add(client.create("base", LIFE));
        assertThat(workerOf(last())).isEqualTo("worker-a");
        endOneOn("worker-b");
        assertThat(packages.python("load", saved)).isEqualTo("42");
        assertThat(rows.rows("select worker_id from sandbox where snapshot_id = '" + saved + "'"))
                .as("restored on")
                .containsExactly("worker-b");
        assertThat(packages.javascript("load", saved)).as("and once more").isEqualTo("42");
        assertThat(client.deleteSnapshot(saved)).isTrue();
    }

    /**
     * Each worker's host was prepared on its own. So the build that wrote an image is on the other
     * one only if it came from the bucket, and so is the base image on that which did not publish
     * last.
     */
    @Test
    @Order(3)
    void runsWithWhatOnlyTheOtherWorkerHasPublished() throws Exception {
        assertThat(rows.rows("select distinct runtime_id from worker where id like 'worker-%'"))
                .hasSize(2);
        endOneOn("worker-a");
        sandboxes.add(client.create("base", LIFE));
        var source = last();
        assertThat(workerOf(source)).isEqualTo("worker-a");
        client.write(source, "/home/user/kept", "as it was");
        var snapshot = client.snapshot(source);
        endOneOn("worker-b");

        var clone = client.create(snapshot.id(), LIFE);

        assertThat(workerOf(clone)).isEqualTo("worker-b");
        assertThat(client.read(clone, "/home/user/kept")).isEqualTo("as it was");
        var there = cluster.worker("worker-b").home();
        var build = only("select runtime_id", source);
        assertThat(there.resolve("cache/runtime").resolve(build)).doesNotExist();
        assertThat(Sha256.of(there.resolve("worker/runtimes").resolve(build)).hex())
                .isEqualTo(build);
        var image = only("select template_digest", source);
        for (var worker : cluster.workers()) {
            var copy = worker.home().resolve("worker/templates/" + image + ".squashfs");
            assertThat(Sha256.of(copy).hex()).as(worker.name()).isEqualTo(image);
        }
        assertThat(client.kill(clone.id())).isTrue();
        assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
    }

    @Test
    @Order(4)
    void answersAtAnyControlForWhatAnotherOneMade() throws Exception {
        var one = new E2bClient(cluster.controls().get(0).api(), cluster.apiKey());
        var other = new E2bClient(cluster.controls().get(1).api(), cluster.apiKey());
        endOneOn("worker-a");
        var sandbox = one.create("base", LIFE);
        assertThat(other.must(sandbox, "echo here")).isEqualTo("here\n");
        var content = "a line of text\n".repeat(1 << 18);
        other.write(sandbox, "/home/user/site/index.html", content);
        assertThat(one.read(sandbox, "/home/user/site/index.html")).isEqualTo(content);
        other.startInBackground(sandbox, "exec python3 -m http.server 3000 --directory site");
        for (var control : cluster.controls()) {
            await(
                    "the port answers at " + control.name(),
                    () -> visit(control.api(), sandbox),
                    content::equals);
        }
        var snapshot = other.snapshot(sandbox);
        assertThat(one.snapshots()).contains(snapshot);
        assertThat(other.kill(sandbox.id())).isTrue();
        assertThat(one.info(sandbox.id())).isEmpty();
        assertThat(one.deleteSnapshot(snapshot.id())).isTrue();
    }

    private static String visit(URI control, Sandbox sandbox) throws Exception {
        var request =
                HttpRequest.newBuilder(control.resolve("/index.html"))
                        .timeout(Duration.ofSeconds(20))
                        .header("E2b-Sandbox-Id", sandbox.id())
                        .header("E2b-Sandbox-Port", "3000")
                        .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /** It comes back while the next test has its programs at work. */
    @Test
    @Order(5)
    void goesOnWhileOneControlIsAway() throws Exception {
        var away = cluster.controls().get(0);
        away.stop();
        for (var sandbox : List.copyOf(sandboxes)) {
            assertThat(client.must(sandbox, "echo still here")).isEqualTo("still here\n");
            assertThat(client.kill(sandbox.id())).isTrue();
        }
        sandboxes.clear();
        var fresh = client.create("base", LIFE);
        assertThat(client.must(fresh, "echo new")).isEqualTo("new\n");
        assertThat(client.kill(fresh.id())).isTrue();
        restart = CompletableFuture.runAsync(() -> start(away));
    }

    private static void start(Node node) {
        try {
            node.start();
        } catch (Exception e) {
            throw new IllegalStateException(node.name() + " does not come back", e);
        }
    }

    @TestFactory
    @Order(6)
    Stream<DynamicContainer> areas() throws Exception {
        Predicate<String> ofAnyHost = name -> OF_ONE_HOST.stream().noneMatch(name::startsWith);
        Predicate<String> chosen = name -> PROGRAMS.stream().anyMatch(name::startsWith);
        return Programs.against(
                "-cluster",
                environment(),
                FULL ? ofAnyHost : chosen,
                FULL ? ON_ANY_HOST : EACH_AREA,
                3);
    }

    private static Map<String, String> environment() throws Exception {
        var url = cluster.api().toString();
        var all = new HashMap<String, String>();
        all.put("E2B_API_KEY", cluster.apiKey());
        all.put("E2B_API_URL", url);
        all.put("E2B_SANDBOX_URL", url);
        all.put("E2B_VOLUME_API_URL", url);
        all.put(
                "HOLDFAST_OTHER_API_KEY",
                OtherProject.key(cluster.api(), cluster.apiKey(), cluster.databaseUrl()));
        all.put("HOLDFAST_TEST_FACES", "one");
        all.put("HOLDFAST_TEST_USED", "used-cluster");
        return all;
    }

    @Test
    @Order(7)
    void hasItsControlBackAndNothingLeft() throws Exception {
        restart.join();
        var back = new E2bClient(cluster.controls().get(0).api(), cluster.apiKey());
        var sandbox = back.create("base", LIFE);
        assertThat(back.must(sandbox, "echo back")).isEqualTo("back\n");
        assertThat(back.kill(sandbox.id())).isTrue();
        await("every sandbox has ended", () -> back.sandboxes(), List::isEmpty);
        new Remains(cluster).assertNothingIsOrphaned();
    }

    /** Its user is told nothing: it has the same ID and token. The worker stays away. */
    @Test
    @Order(8)
    void goesOnElsewhereWhenItsWorkerIsStopped() throws Exception {
        var sandbox = client.create("base", LIFE);
        client.write(sandbox, "/home/user/kept", "as it was");
        var number = client.startInBackground(sandbox, "exec sleep 1000");
        var before = cluster.worker(workerOf(sandbox));

        before.stop();

        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("PAUSED");
        assertThat(client.read(sandbox, "/home/user/kept")).isEqualTo("as it was");
        assertThat(client.processes(sandbox)).as("what ran runs on").contains(number);
        assertThat(workerOf(sandbox)).isNotEqualTo(before.name());
        assertThat(client.kill(sandbox.id())).isTrue();
    }

    private static Sandbox last() {
        return sandboxes.get(sandboxes.size() - 1);
    }

    private static void endOneOn(String worker) throws Exception {
        for (var sandbox : List.copyOf(sandboxes)) {
            if (workerOf(sandbox).equals(worker)) {
                sandboxes.remove(sandbox);
                assertThat(client.kill(sandbox.id())).isTrue();
                return;
            }
        }
        throw new AssertionError("nothing runs on " + worker);
    }

    private static String workerOf(Sandbox sandbox) throws Exception {
        return only("select worker_id", sandbox);
    }

    private static String only(String what, Sandbox sandbox) throws Exception {
        return rows.rows(what + " from sandbox where id = '" + sandbox.id() + "'").get(0);
    }
}
