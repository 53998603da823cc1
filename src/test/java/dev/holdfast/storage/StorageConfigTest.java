package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.config.spi.Converter;
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

    /** Values that were converted already. */
    private record Settings(Map<String, ?> values) implements Config {

        @Override
        public <T> Optional<T> getOptionalValue(String name, Class<T> type) {
            return Optional.ofNullable(values.get(name)).map(type::cast);
        }

        @Override
        public <T> T getValue(String name, Class<T> type) {
            return getOptionalValue(name, type).orElseThrow();
        }

        @Override
        public ConfigValue getConfigValue(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<String> getPropertyNames() {
            return values.keySet();
        }

        @Override
        public Iterable<ConfigSource> getConfigSources() {
            return List.of();
        }

        @Override
        public <T> Optional<Converter<T>> getConverter(Class<T> type) {
            return Optional.empty();
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new IllegalArgumentException();
        }
    }
}
