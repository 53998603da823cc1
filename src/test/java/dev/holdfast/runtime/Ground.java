package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** What the tests of this room stand on: a home of their own and a look at the whole host. */
record Ground(Path home, String instance) {
    static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    static final long MIB = 1L << 20;

    /** On a host that the lane's server has prepared, for both generations. */
    static Ground fresh() {
        SharedServer.get();
        try {
            String instance = MachineId.random().value().substring(1, 5);
            return new Ground(Files.createTempDirectory("holdfast-runtime-"), instance);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RuntimeConfig config() {
        return config(Path.of("/etc/resolv.conf"));
    }

    RuntimeConfig config(Path resolver) {
        assertThat(build()).as("made by host preparation").exists();
        return new RuntimeConfig(
                home,
                cache(),
                instance,
                3,
                256 * MIB,
                Runtime.getRuntime().availableProcessors() + 1,
                2,
                Duration.ofMillis(250),
                Duration.ofMinutes(2),
                Duration.ofMinutes(1),
                resolver,
                true);
    }

    MachineSpec spec() {
        return spec(MachineId.random(), true, new MachineSpec.Limits(512 * MIB, 2, 64, 256 * MIB));
    }

    MachineSpec spec(MachineId id, boolean internet, MachineSpec.Limits limits) {
        return spec(id, internet ? Egress.EVERYTHING : Egress.NOTHING, limits);
    }

    MachineSpec spec(MachineId id, Egress egress, MachineSpec.Limits limits) {
        return spec(Generation.SECOND, id, egress, limits);
    }

    MachineSpec spec(
            Generation generation, MachineId id, Egress egress, MachineSpec.Limits limits) {
        return new MachineSpec(
                id,
                generation,
                generation == Generation.SECOND ? build() : null,
                template(),
                limits,
                egress,
                "machine",
                Guest.commandLine());
    }

    static Path build() {
        return cache().resolve("runtime/current/runsc");
    }

    static Path template() {
        try {
            Path templates = cache().resolve("template");
            String digest = Files.readString(templates.resolve("base.digest")).strip();
            return templates.resolve(digest + ".squashfs");
        } catch (IOException e) {
            throw new UncheckedIOException("Host preparation has not run", e);
        }
    }

    private static Path cache() {
        return Path.of(System.getProperty("holdfast.test.cache", "/var/cache/holdfast"));
    }

    /** Other tests make and remove things meanwhile; what find misses of theirs does not matter. */
    private static Stream<String> found(String... line) {
        return Command.run(line).output().lines();
    }

    /** Everything on the host that carries our instance's ID or our home. */
    TreeMap<String, List<String>> traces() {
        var traces = new TreeMap<String, List<String>>();
        put(traces, "links", Command.must("ip", "-o", "link").lines());
        put(traces, "addresses", Command.must("ip", "-o", "-4", "addr").lines());
        put(traces, "namespaces", Command.must("ip", "netns").lines());
        put(traces, "rules", Command.must("nft", "list", "tables").lines());
        put(traces, "mounts", lines(Path.of("/proc/self/mountinfo")));
        put(traces, "loops", Command.must("losetup", "-a").lines());
        put(traces, "groups", found("find", "/sys/fs/cgroup", "-type", "d"));
        put(traces, "processes", processes());
        put(traces, "sockets", found("find", "/run", "/tmp", "-name", "runsc-*.sock"));
        put(traces, "files", found("find", home.toString()));
        return traces;
    }

    /** What a machine that is frozen holds may keep whoever asks for its words waiting. */
    private static Stream<String> processes() {
        try {
            return Command.must("ps", "-eo", "args").lines();
        } catch (MachineFailure late) {
            return Command.must("ps", "-eo", "args").lines();
        }
    }

    private void put(TreeMap<String, List<String>> traces, String kind, Stream<String> lines) {
        var ours =
                lines.filter(
                                line ->
                                        line.contains("hf" + instance)
                                                || line.contains("holdfast_" + instance)
                                                || line.contains("holdfast-" + instance)
                                                || line.contains(home.toString()))
                        .toList();
        if (!ours.isEmpty()) {
            traces.put(kind, ours);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <T> T await(String what, Duration limit, Callable<T> look) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            while (System.nanoTime() < end) {
                T seen = look.call();
                if (seen != null && !Boolean.FALSE.equals(seen)) {
                    return seen;
                }
                Thread.sleep(20);
            }
        } catch (Exception e) {
            throw new AssertionError(what, e);
        }
        throw new AssertionError("Not within " + limit + ": " + what);
    }
}
