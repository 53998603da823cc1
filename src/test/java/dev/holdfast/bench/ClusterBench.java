package dev.holdfast.bench;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures an installation of two controls on one broker and one bucket: captures and restores per
 * minute with one and with two workers, and the restore on a worker that has never seen the
 * snapshot beside the next one there and the one on the worker that captured it. All servers share
 * this machine's cores, so a second worker shows what it costs and not what a second machine would
 * give.
 *
 * <p>The arguments are those of {@link Bench}.
 */
public final class ClusterBench {

    private static final int LEAST = 20;
    private static final Duration LIFE = Duration.ofHours(2);
    private static final Duration LENGTH = Duration.ofMinutes(1);
    private static final int CALLERS = 4;

    private final Cluster cluster;
    private final E2bClient client;
    private final StringBuilder report = new StringBuilder();

    private ClusterBench(Cluster cluster) throws Exception {
        this.cluster = cluster;
        this.client = new E2bClient(cluster.api(), cluster.apiKey());
    }

    public static void main(String... arguments) throws Exception {
        int times = Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST));
        var cluster =
                Cluster.start(Bench.options(arguments), Path.of("target", "server-log-bench"), 2);
        try {
            var bench = new ClusterBench(cluster);
            bench.measure(times);
            System.out.println(bench.report);
        } finally {
            cluster.close();
            cluster.erase();
        }
    }

    private void measure(int times) throws Exception {
        report.append("\nper minute, %d callers\n".formatted(CALLERS));
        rates("two workers");
        var first = cluster.workers().get(0);
        var second = cluster.workers().get(1);
        second.stop();
        rates("one worker");
        var saved = captured(times);
        var local = new Sample("restore on the worker that captured it");
        restoresHere(saved, local);
        second.start();
        first.stop();
        report.append("\n%d times each, milliseconds\n".formatted(times));
        report.append(Sample.HEADING);
        restoresElsewhere(saved, local);
    }

    private void rates(String workers) throws Exception {
        report.append("%-48s %7d%n".formatted("captures, " + workers, perMinute(this::captures)));
        report.append("%-48s %7d%n".formatted("restores, " + workers, perMinute(this::restores)));
    }

    /** Each caller captures a sandbox of its own, one capture after the other. */
    private int captures(long end) throws Exception {
        var source = client.create("base", LIFE);
        client.must(source, "true");
        int done = 0;
        for (; System.nanoTime() < end; done++) {
            client.deleteSnapshot(client.snapshot(source).id());
        }
        client.kill(source.id());
        return done;
    }

    /**
     * Each makes one sandbox after the other from a snapshot of its own, up to its first answer.
     */
    private int restores(long end) throws Exception {
        var source = client.create("base", LIFE);
        var snapshot = client.snapshot(source);
        client.kill(source.id());
        int done = 0;
        for (; System.nanoTime() < end; done++) {
            var clone = client.create(snapshot.id(), LIFE);
            client.must(clone, "true");
            client.kill(clone.id());
        }
        client.deleteSnapshot(snapshot.id());
        return done;
    }

    private static int perMinute(Work work) throws Exception {
        var threads = Executors.newFixedThreadPool(CALLERS);
        try {
            long end = System.nanoTime() + LENGTH.toNanos();
            List<Future<Integer>> working = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Callable<Integer> caller = () -> work.until(end);
                working.add(threads.submit(caller));
            }
            int done = 0;
            for (var each : working) {
                done += each.get();
            }
            return (int) (done * Duration.ofMinutes(1).toSeconds() / LENGTH.toSeconds());
        } finally {
            threads.shutdownNow();
        }
    }

    /** By the worker that is alone now. */
    private List<String> captured(int count) {
        var source = client.create("base", LIFE);
        client.must(source, "true");
        var saved = new ArrayList<String>();
        for (int i = 0; i <= count; i++) {
            saved.add(client.snapshot(source).id());
        }
        client.kill(source.id());
        return saved;
    }

    /** The first warms up and does not count. */
    private void restoresHere(List<String> saved, Sample local) {
        restore(saved.get(0), local);
        local.clear();
        saved.subList(1, saved.size()).forEach(snapshot -> restore(snapshot, local));
    }

    /** The same snapshots where only the other worker is; the first warms up here too. */
    private void restoresElsewhere(List<String> saved, Sample local) {
        var cold = new Sample("restore on a worker that has never seen it");
        var cached = new Sample("the next one there");
        restore(saved.get(0), cold);
        cold.clear();
        for (var snapshot : saved.subList(1, saved.size())) {
            restore(snapshot, cold);
            restore(snapshot, cached);
        }
        report.append(cold.line()).append(cached.line()).append(local.line());
        report.append(cold.beside(cached, "cold beside the next, at p50", ""));
        report.append(cached.beside(local, "the next beside the local one, at p50", ""));
    }

    private void restore(String snapshot, Sample sample) {
        long begin = System.nanoTime();
        var clone = client.create(snapshot, LIFE);
        client.must(clone, "true");
        sample.add(System.nanoTime() - begin);
        client.kill(clone.id());
    }

    @FunctionalInterface
    private interface Work {
        int until(long end) throws Exception;
    }
}
