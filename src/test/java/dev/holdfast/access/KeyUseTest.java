package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyUseTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final KeyUse use = new KeyUse();
    private final ApiKeyId id = ApiKeyId.fresh();

    @Test
    void isDueOnceAMinute() {
        assertThat(use.isDue(id, 0)).isTrue();
        assertThat(use.isDue(id, 59 * SECOND)).isFalse();
        assertThat(use.isDue(id, 60 * SECOND)).isTrue();
        assertThat(use.isDue(id, 61 * SECOND)).isFalse();
        assertThat(use.isDue(ApiKeyId.fresh(), 61 * SECOND)).isTrue();
    }

    @Test
    void isDueForOneOfManyAtTheSameTime() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 50; round++) {
                var moment = round * 100 * SECOND;
                var due = new AtomicInteger();
                var start = new CountDownLatch(1);
                var done = new CountDownLatch(8);
                for (int i = 0; i < 8; i++) {
                    threads.execute(
                            () -> {
                                try {
                                    start.await();
                                    if (use.isDue(id, moment)) {
                                        due.incrementAndGet();
                                    }
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                } finally {
                                    done.countDown();
                                }
                            });
                }
                start.countDown();
                done.await();
                assertThat(due).hasValue(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
