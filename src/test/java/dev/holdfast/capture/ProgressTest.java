package dev.holdfast.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicBoolean wanted = new AtomicBoolean(true);
    private final List<Long> told = new ArrayList<>();
    private final Progress progress =
            new Progress(
                    bytes -> {
                        told.add(bytes);
                        return wanted.get();
                    },
                    nanos::get);

    @Test
    void tellsTheSumAtMostOnceASecond() throws Exception {
        for (int i = 0; i < 100; i++) {
            progress.read(10);
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
        }

        assertThat(told).hasSize(9).isSorted().first().isEqualTo(110L);
    }

    @Test
    void breaksOffOnceNobodyWantsIt() throws Exception {
        progress.read(1);
        wanted.set(false);
        progress.read(1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThatThrownBy(() -> progress.read(1)).isInstanceOf(EndedException.class);
        assertThatThrownBy(() -> progress.read(1))
                .as("every thread that seals, also before the next second")
                .isInstanceOf(EndedException.class);
        assertThat(told).hasSize(1);
    }
}
