package dev.holdfast.bench;

import dev.holdfast.job.Snapshots;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Management;
import java.time.Duration;
import java.util.Map;

/**
 * Measures how many expired snapshots a second one run of {@code expire-snapshots} removes, with
 * its audit, its news and its meter, beside one bare {@code UPDATE} of as many rows: {@code mvn
 * -Pbench -Dholdfast.bench=dev.holdfast.bench.ExpiryBench}. Both in turn on a table that was tidied
 * up before; the timers rest. {@code holdfast.rows} says how many there are, {@code holdfast.chunk}
 * how many a transaction has.
 */
public final class ExpiryBench {

    private static final int ROWS = Integer.getInteger("holdfast.rows", 100_000);
    private static final int ROUNDS = Integer.getInteger("holdfast.rounds", 3);
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private static final String BARE =
            "with gone as (update snapshot set state = 'CLEANUP_PENDING', phase = 'DONE',"
                    + " name_held = false, removal_reason = 'EXPIRED', removed_at = now(),"
                    + " cleanup_after = now(), version = version + 1 where project_id = '%s'"
                    + " and state = 'SAVED' returning 1) select count(*) from gone";

    private final Sample bare = new Sample("one bare update of as many rows");
    private final Sample expiry = new Sample("expire-snapshots, start to end");
    private final Sample cleanup = new Sample("clean-up-objects (nothing is stored of them)");

    public static void main(String... arguments) throws Exception {
        var server = LocalServer.of(Bench.options(Bench.atRest(), arguments));
        try {
            server.forget().start();
            var bench = new ExpiryBench();
            for (int round = 0; round <= ROUNDS; round++) {
                bench.measure(server);
                if (round == 0) {
                    bench.forgetWarmUp();
                }
            }
            System.out.println(bench.report());
        } finally {
            server.stop();
            server.erase();
        }
    }

    private void measure(LocalServer server) throws Exception {
        try (var rows = new Snapshots(server.databaseUrl());
                var management = new Management(server)) {
            var parameters =
                    Map.of(
                            "project",
                            rows.project(),
                            "chunkSize",
                            "" + Integer.getInteger("holdfast.chunk", 100));
            rows.save(ROWS, "now()");
            rows.sql("vacuum analyze snapshot");
            long begin = System.nanoTime();
            rows.hold(BARE.formatted(rows.project()));
            bare.add(System.nanoTime() - begin);
            rows.release();
            rows.sql("vacuum analyze snapshot");
            expiry.add(run(management, "expire-snapshots", parameters));
            rows.sql("vacuum analyze snapshot");
            cleanup.add(run(management, "clean-up-objects", parameters));
            if (rows.tombstones() != ROWS) {
                throw new IllegalStateException(rows.tombstones() + " of " + ROWS + " have gone");
            }
        }
    }

    private static long run(Management management, String job, Map<String, String> parameters)
            throws Exception {
        long begin = System.nanoTime();
        var run = management.job(job, parameters, PATIENCE);
        long elapsed = System.nanoTime() - begin;
        System.out.println(job + ": " + run);
        return elapsed;
    }

    private void forgetWarmUp() {
        bare.clear();
        expiry.clear();
        cleanup.clear();
    }

    private String report() {
        var text = new StringBuilder("\n%d expired snapshots, milliseconds\n".formatted(ROWS));
        text.append(Sample.HEADING);
        for (var sample : new Sample[] {bare, expiry, cleanup}) {
            text.append(sample.line());
        }
        text.append("\nrows a second\n");
        for (var sample : new Sample[] {bare, expiry, cleanup}) {
            text.append(sample.rate(ROWS * 1_000_000L));
        }
        text.append("\nat p50                                           ratio  difference\n");
        text.append(expiry.beside(bare, "expire-snapshots beside the bare update", ""));
        return text.toString();
    }
}
