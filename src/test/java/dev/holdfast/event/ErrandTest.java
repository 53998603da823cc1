package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ErrandTest {

    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger within = new AtomicInteger();
    private Errand work;

    @Test
    void whatAsksForItselfIsDoneAgainAndNeverWithinItself() {
        int many = 100_000;
        work =
                new Errand(
                        () -> {
                            assertThat(within.incrementAndGet()).isEqualTo(1);
                            if (rounds.incrementAndGet() < many) {
                                work.run();
                            }
                            within.decrementAndGet();
                        });

        work.run();

        assertThat(rounds).hasValue(many);
    }

    @Test
    void whoeverAsksMeanwhileIsNotForgotten() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        work =
                new Errand(
                        () -> {
                            rounds.incrementAndGet();
                            begun.countDown();
                            await(asked);
                        });
        Thread first = new Thread(work::run);
        first.start();
        begun.await();

        work.run();
        work.run();

        assertThat(rounds).hasValue(1);
        asked.countDown();
        first.join();
        assertThat(rounds).hasValue(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
