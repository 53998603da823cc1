package dev.holdfast.runtime;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/**
 * Settings of this room, {@code holdfast.runtime.*}.
 *
 * @param home {@code holdfast.home}: all state; this room's part is {@code worker} in it
 * @param cache {@code holdfast.cache}: what host preparation made
 * @param instance tells the things of this instance from those of another one on the same host
 * @param pool slots (network and disk) made ahead
 * @param disk size in bytes of the disks made ahead; machines of another size wait for theirs
 * @param starts starts and restores at once; more only make each other slower
 * @param checkpoints checkpoints at once; they share one disk
 * @param tick how often each machine is looked at
 * @param patience how long an operation waits for its turn before it is refused as busy
 * @param deadline how long one runsc command may take; a large image needs time
 * @param resolver where the forwarder finds the host's name servers
 * @param generation1 {@code holdfast.runtime.generation1}: whether light machines are made here
 */
public record RuntimeConfig(
        Path home,
        Path cache,
        String instance,
        int pool,
        long disk,
        int starts,
        int checkpoints,
        Duration tick,
        Duration patience,
        Duration deadline,
        Path resolver,
        boolean generation1) {
    private static final Pattern INSTANCE = Pattern.compile("[a-z0-9]{4}");

    public RuntimeConfig {
        if (!home.isAbsolute() || !cache.isAbsolute()) {
            throw new IllegalArgumentException("holdfast.home and holdfast.cache are absolute");
        }
        if (!INSTANCE.matcher(instance).matches()) {
            throw new IllegalArgumentException("An instance ID is 4 of a-z0-9: " + instance);
        }
        if (pool < 0 || pool > 1000 || starts < 1 || checkpoints < 1) {
            throw new IllegalArgumentException("holdfast.runtime.* counts out of range");
        }
        if (tick.toMillis() < 10 || tick.compareTo(Duration.ofSeconds(5)) > 0) {
            throw new IllegalArgumentException("holdfast.runtime.tick is 10 ms to 5 s");
        }
    }

    public static RuntimeConfig from(Config config) {
        int cores = Runtime.getRuntime().availableProcessors();
        Path home = setting(config, "holdfast.home", Path.class, Path.of("/var/lib/holdfast"));
        return new RuntimeConfig(
                home,
                setting(config, "holdfast.cache", Path.class, Path.of("/var/cache/holdfast")),
                instanceOf(home),
                setting(config, "holdfast.runtime.pool", Integer.class, 4),
                disk(config),
                setting(config, "holdfast.runtime.starts", Integer.class, cores + 1),
                setting(config, "holdfast.runtime.checkpoints", Integer.class, cores),
                setting(config, "holdfast.runtime.tick", Duration.class, Duration.ofMillis(250)),
                setting(config, "holdfast.runtime.patience", Duration.class, Duration.ofMinutes(2)),
                setting(config, "holdfast.runtime.deadline", Duration.class, Duration.ofMinutes(5)),
                setting(
                        config,
                        "holdfast.runtime.resolver",
                        Path.class,
                        Path.of("/etc/resolv.conf")),
                setting(config, "holdfast.runtime.generation1", Boolean.class, false));
    }

    /** Unless said otherwise what a built-in template's sandboxes get: others miss the pool. */
    private static long disk(Config config) {
        long mebibytes = setting(config, "holdfast.worker.disk-mib", Long.class, 5120L);
        return setting(config, "holdfast.runtime.disk", Long.class, mebibytes << 20);
    }

    private static <T> T setting(Config config, String name, Class<T> type, T otherwise) {
        return config.getOptionalValue(name, type).orElse(otherwise);
    }

    Path worker() {
        return home.resolve("worker");
    }

    Path build() {
        return cache.resolve("runtime/current/runsc");
    }

    /** Made once and kept: whoever comes first writes it, everyone else reads it. */
    private static String instanceOf(Path home) {
        Path file = home.resolve("instance");
        try {
            Files.createDirectories(home);
            if (!Files.exists(file)) {
                String fresh = MachineId.random().value().substring(1, 5);
                Path whole = Files.createTempFile(home, "instance", null);
                Files.writeString(whole, fresh + "\n", StandardOpenOption.SYNC);
                try {
                    Files.createLink(file, whole); // there whole, or not at all
                } catch (FileAlreadyExistsException lost) {
                    // The other one's ID is as good.
                } finally {
                    Files.delete(whole);
                }
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read or make " + file, e);
        }
    }
}
