package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageConfigTest {

    @Test
    void liesBelowHomeByDefault() {
        StorageConfig config = StorageConfig.of(new Settings(Map.of("holdfast.home", "/srv/h")));

        assertThat(config.root()).isEqualTo(Path.of("/srv/h/store"));
        assertThat(config.cache()).isEqualTo(Path.of("/srv/h/worker"));
        assertThat(config.cacheBytes()).isEqualTo(8L * 1024 * 1024 * 1024);
        assertThat(config.zstdLevel()).isEqualTo(1);
        assertThat(config.leftoverGrace()).isEqualTo(Duration.ofHours(1));
        assertThat(StorageConfig.of(new Settings(Map.of())).root())
                .isEqualTo(Path.of("/var/lib/holdfast/store"));
    }

    @Test
    void takesEachSetting() {
        StorageConfig config =
                StorageConfig.of(
                        new Settings(
                                Map.of(
                                        "holdfast.storage.root",
                                        "/mnt/s",
                                        "holdfast.storage.cache",
                                        "/mnt/c",
                                        "holdfast.storage.cache-bytes",
                                        5L,
                                        "holdfast.storage.zstd-level",
                                        3,
                                        "holdfast.storage.zstd-threads",
                                        7,
                                        "holdfast.storage.leftover-grace",
                                        Duration.ofDays(2))));

        assertThat(config)
                .isEqualTo(
                        new StorageConfig(
                                Path.of("/mnt/s"), Path.of("/mnt/c"), 5, 3, 7, Duration.ofDays(2)));
    }

    @Test
    void refusesWhatCannotWork() {
        assertThatThrownBy(
                        () ->
                                StorageConfig.of(
                                        new Settings(Map.of("holdfast.storage.zstd-level", 22))))
                .hasMessageContaining("holdfast.storage.zstd-level");
        assertThatThrownBy(
                        () ->
                                StorageConfig.of(
                                        new Settings(Map.of("holdfast.storage.cache-bytes", -1L))))
                .hasMessageContaining("holdfast.storage.cache-bytes");
    }
}
