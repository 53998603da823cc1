package dev.holdfast.bench;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.LocalServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what limits one node: {@code mvn -Pbench -Dholdfast.bench=dev.holdfast.bench.NodeBench}.
 * Processor time, memory and bytes to disk are those of the installation's own processes (server,
 * database, sandboxes), so that whatever else this machine does is not in them.
 */
public final class NodeBench {

    private static final Duration LIFE = Duration.ofHours(1);
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final int LEAST = 20;
    private static final int TOUCHED_MIB = 256;
    private static final double MIB = 1 << 20;
    private static final double GIB = 1 << 30;

    private final E2bClient client;
    private final String databaseUrl;
    private final Path home;

    private NodeBench(LocalServer server, Path home) throws IOException {
        this.client = new E2bClient(server.api(), server.apiKey());
        this.databaseUrl = server.databaseUrl();
        this.home = home;
    }

    public static void main(String... arguments) throws Exception {
        var options = Bench.options(Bench.atRest(), arguments);
        int times = Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST));
        var server = LocalServer.of(options);
        try {
            server.forget().start();
            new NodeBench(server, options.home()).run(times);
        } finally {
            server.stop();
            server.erase();
        }
    }

    private void run(int times) throws Exception {
        var source = client.create("base", LIFE);
        client.must(source, "true");
        var snapshot = client.snapshot(source).id();
        measureRestores(snapshot, times);
        measureClones(snapshot, times);
        measureCaptures(source, Math.max(5, times / 4));
        client.kill(source.id());
    }

    /** One after the other, each to its first command's answer; the first few warm up. */
    private void measureRestores(String snapshot, int times) {
        long millis = 0;
        long written = 0;
        for (int i = -5; i < times; i++) {
            var before = Footprint.of(home);
            var clone = client.create(snapshot, LIFE);
            client.must(clone, "true");
            var spent = Footprint.of(home).since(before);
            client.kill(clone.id());
            if (i >= 0) {
                millis += spent.processorMillis();
                written += spent.writtenBytes();
            }
        }
        System.out.printf(
                "a restore, to its first command's answer: %.0f ms of processor time, %.1f MiB to"
                        + " disk (mean of %d)%n",
                (double) millis / times, written / MIB / times, times);
    }

    private void measureClones(String snapshot, int times) throws Exception {
        long alone = idle();
        var before = Footprint.of(home);
        List<Sandbox> clones = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            var clone = client.create(snapshot, LIFE);
            client.must(clone, "true");
            clones.add(clone);
        }
        var held = Footprint.of(home).since(before);
        long together = idle();
        System.out.printf(
                "a node with one sandbox that does nothing: %.1f %% of a processor; with %d clones"
                        + " of a snapshot more: %.1f MiB of memory and %.2f %% of a processor for"
                        + " each%n",
                100.0 * alone / IDLE.toMillis(),
                times,
                held.memoryBytes() / MIB / times,
                100.0 * (together - alone) / IDLE.toMillis() / times);
        clones.forEach(clone -> client.kill(clone.id()));
    }

    /** Milliseconds of processor time, after what was asked before has come to rest. */
    private long idle() throws InterruptedException {
        Thread.sleep(SETTLING.toMillis());
        var before = Footprint.of(home);
        Thread.sleep(IDLE.toMillis());
        return Footprint.of(home).since(before).processorMillis();
    }

    /** Of memory that is half noise, as what programs hold is neither all zeros nor all noise. */
    private void measureCaptures(Sandbox source, int times) throws Exception {
        client.startInBackground(
                source,
                "python3 -c 'import os, time; held = [os.urandom(1 << 19) + bytes(range(256)) *"
                        + " 2048 for _ in range("
                        + TOUCHED_MIB
                        + ")]; open(\"/tmp/held\", \"w\").close(); time.sleep(3600)'");
        client.must(source, "until [ -e /tmp/held ]; do sleep 0.1; done");
        var whole = new Sample("a capture, accepted to 201");
        long millis = 0;
        long written = 0;
        long logical = 0;
        for (int i = -1; i < times; i++) {
            var before = Footprint.of(home);
            long begin = System.nanoTime();
            var saved = client.snapshot(source);
            long end = System.nanoTime();
            var spent = Footprint.of(home).since(before);
            if (i >= 0) {
                whole.add(end - begin);
                millis += spent.processorMillis();
                written += spent.writtenBytes();
                logical += logicalBytes(saved.id());
            }
            client.deleteSnapshot(saved.id());
        }
        double size = logical / GIB;
        System.out.printf(
                "captures of %.0f MiB each: %.1f s, %.1f s of processor time and %.2f GiB to disk"
                        + " for each GiB (median and means of %d)%n",
                1024 * size / times,
                whole.millis(0.5) / 1000 / (size / times),
                millis / 1000.0 / size,
                written / GIB / size,
                times);
    }

    private long logicalBytes(String snapshot) throws Exception {
        try (var connection = DriverManager.getConnection(databaseUrl);
                var statement =
                        connection.prepareStatement(
                                "select logical_bytes from snapshot where id::text = ?")) {
            statement.setString(1, snapshot);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
