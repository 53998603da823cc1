package dev.holdfast.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sandboxes at work, each with five streams and a file loop, and a capture every five seconds.
 * Small here; {@code -Psoak} runs twenty sandboxes for three minutes.
 */
class LoadIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;
    private static final int SANDBOXES = FULL ? 20 : 4;
    private static final Duration LENGTH = FULL ? Duration.ofMinutes(3) : Duration.ofSeconds(12);
    private static final int STREAMS = 5;
    private static final Duration BETWEEN_CAPTURES = Duration.ofSeconds(5);
    private static final Duration LIFE = Duration.ofHours(1);
    private static final Duration SETTLING = Duration.ofSeconds(90);

    /** Pools grow once and stay; what leaks grows with every sandbox, stream and capture. */
    private static final Footprint SLACK = new Footprint(12, 12, 12, 0);

    /**
     * Seconds between two lines: a hundred streams at ten lines a second leave no time for
     * captures.
     */
    private static final String PACE = FULL ? "0.5" : "0.1";

    /** Counts until it is told to stop, so that its last number is known to both sides. */
    private static final String COUNT =
            "exec python3 -u -c 'import os, time\n"
                    + "i = 0\n"
                    + "while not os.path.exists(\"/tmp/stop\"):\n"
                    + "    print(i); i += 1; time.sleep("
                    + PACE
                    + ")\n"
                    + "print(\"end\", i)'";

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong lines = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong captures = new AtomicLong();
    private final List<Sandbox> sandboxes = new ArrayList<>();
    private ExecutorService callers;
    private E2bClient client;

    @BeforeEach
    void connects() {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        callers = Executors.newCachedThreadPool();
    }

    @AfterEach
    void endsEverything() {
        over.set(true);
        sandboxes.forEach(sandbox -> client.kill(sandbox.id()));
        callers.shutdownNow();
    }

    @Test
    @Tag("R83")
    @Tag("R102")
    @Tag("R103")
    void losesDoublesAndLeavesNothing() throws Exception {
        work(2, Duration.ofSeconds(5)); // what pools and caches take once
        var before = settled(footprint());

        work(SANDBOXES, LENGTH);

        var after = settled(before);
        assertThat(after.isBackTo(before, SLACK)).as("before %s, after %s", before, after).isTrue();
        assertThat(captures).hasPositiveValue();
        System.out.printf(
                "%d sandboxes, %d lines of %d streams, %d files, %d captures in %s; before %s, after"
                        + " %s%n",
                SANDBOXES,
                lines.get(),
                SANDBOXES * STREAMS,
                files.get(),
                captures.get(),
                LENGTH,
                before,
                after);
    }

    private void work(int count, Duration length) throws Exception {
        over.set(false);
        for (int i = 0; i < count; i++) {
            sandboxes.add(client.create("base", LIFE));
        }
        List<Future<?>> working = new ArrayList<>();
        for (var sandbox : sandboxes) {
            for (int i = 0; i < STREAMS; i++) {
                working.add(callers.submit(() -> stream(sandbox)));
            }
            working.add(callers.submit(() -> fileLoop(sandbox)));
        }
        working.add(callers.submit(this::captureLoop));
        var end = Instant.now().plus(length);
        while (Instant.now().isBefore(end) && working.stream().noneMatch(Future::isDone)) {
            Thread.sleep(100);
        }
        over.set(true);
        for (var sandbox : sandboxes) {
            client.must(sandbox, "touch /tmp/stop");
        }
        for (var each : working) {
            each.get(SETTLING.toSeconds(), TimeUnit.SECONDS);
        }
        for (var sandbox : sandboxes) {
            assertThat(client.kill(sandbox.id())).isTrue();
        }
        sandboxes.clear();
    }

    /** Every number once and in order, whatever was captured meanwhile. */
    private Void stream(Sandbox sandbox) {
        var counter = new Counter();
        int code = client.follow(sandbox, COUNT, counter::take);
        assertThat(code).isZero();
        counter.assertEnded();
        lines.addAndGet(counter.lines());
        return null;
    }

    private Void fileLoop(Sandbox sandbox) throws Exception {
        for (int i = 0; !over.get(); i++) {
            var content = ("round " + i + " of " + sandbox.id() + "\n").repeat(1 + i % 2000);
            client.write(sandbox, "/home/user/loop", content);
            assertThat(client.read(sandbox, "/home/user/loop")).isEqualTo(content);
            files.incrementAndGet();
            Thread.sleep(100);
        }
        return null;
    }

    private Void captureLoop() throws Exception {
        for (int i = 0; !over.get(); i++) {
            var begin = Instant.now();
            var snapshot = client.snapshot(sandboxes.get(i % sandboxes.size()));
            assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
            captures.incrementAndGet();
            while (!over.get() && Instant.now().isBefore(begin.plus(BETWEEN_CAPTURES))) {
                Thread.sleep(50);
            }
        }
        return null;
    }

    /** The reading once it has come back to what it was, or the last one. */
    private Footprint settled(Footprint before) throws Exception {
        var end = Instant.now().plus(SETTLING);
        var now = footprint();
        do {
            Thread.sleep(1_000);
            now = footprint();
        } while (!now.isBackTo(before, SLACK) && Instant.now().isBefore(end));
        return now;
    }

    private static Footprint footprint() throws Exception {
        Path home = SharedServer.get().options().home();
        return Footprint.of(
                Long.parseLong(Files.readString(home.resolve("server.pid")).strip()),
                Files.readString(home.resolve("instance")).strip());
    }

    /** Reads the output of a counting command as it comes in pieces. */
    private static final class Counter {

        private final StringBuilder rest = new StringBuilder();
        private long next;
        private boolean ended;

        void take(String piece) {
            rest.append(piece);
            for (int end; (end = rest.indexOf("\n")) >= 0; rest.delete(0, end + 1)) {
                var line = rest.substring(0, end);
                if (line.equals("end " + next)) {
                    ended = true;
                } else {
                    assertThat(line).isEqualTo(Long.toString(next));
                    next++;
                }
            }
        }

        void assertEnded() {
            assertThat(ended).as("the end after %d lines", next).isTrue();
            assertThat(rest).isEmpty();
        }

        long lines() {
            return next;
        }
    }
}
