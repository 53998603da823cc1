package dev.holdfast.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.eclipse.microprofile.config.Config;

/**
 * The settings of this room: keys {@code holdfast.storage.*}, below {@code holdfast.home} unless
 * said otherwise.
 *
 * @param root where the directory store keeps its objects
 * @param cache where a worker keeps raw images and blobs; the file system that checkpoints are
 *     written to, because an image is adopted by renaming it
 * @param cacheBytes how much of {@code cache} unleased images may fill
 * @param zstdLevel 1 to 9
 * @param zstdThreads how many threads compress one part
 * @param leftoverGrace how long an upload may stall before it counts as broken
 */
public record StorageConfig(
        Path root,
        Path cache,
        long cacheBytes,
        int zstdLevel,
        int zstdThreads,
        Duration leftoverGrace) {

    private static final String PREFIX = "holdfast.storage.";
    private static final long DEFAULT_CACHE_BYTES = 8L << 30;
    private static final Duration DEFAULT_GRACE = Duration.ofHours(1);

    public StorageConfig {
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(leftoverGrace, "leftoverGrace");
        if (cacheBytes < 0) {
            throw new IllegalArgumentException(PREFIX + "cache-bytes is negative");
        }
        if (zstdLevel < 1 || zstdLevel > 9) {
            throw new IllegalArgumentException(PREFIX + "zstd-level is not within 1 to 9");
        }
        if (zstdThreads < 1 || zstdThreads > 64) {
            throw new IllegalArgumentException(PREFIX + "zstd-threads is not within 1 to 64");
        }
        if (leftoverGrace.isNegative()) {
            throw new IllegalArgumentException(PREFIX + "leftover-grace is negative");
        }
    }

    public static StorageConfig of(Config config) {
        Path home = Path.of(setting(config, "holdfast.home", String.class, "/var/lib/holdfast"));
        return new StorageConfig(
                Path.of(setting(config, PREFIX + "root", String.class, home + "/store")),
                Path.of(setting(config, PREFIX + "cache", String.class, home + "/worker")),
                setting(config, PREFIX + "cache-bytes", Long.class, DEFAULT_CACHE_BYTES),
                setting(config, PREFIX + "zstd-level", Integer.class, 1),
                setting(
                        config,
                        PREFIX + "zstd-threads",
                        Integer.class,
                        Math.min(4, Runtime.getRuntime().availableProcessors())),
                setting(config, PREFIX + "leftover-grace", Duration.class, DEFAULT_GRACE));
    }

    private static <T> T setting(Config config, String key, Class<T> type, T otherwise) {
        return config.getOptionalValue(key, type).orElse(otherwise);
    }
}
