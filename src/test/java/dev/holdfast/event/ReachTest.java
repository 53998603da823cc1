package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReachTest {

    private static final Throwable AWAY = new IllegalStateException("away");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final Reach reach = new Reach(now::get);

    @Test
    void letsEverybodyTryAsLongAsNothingFails() {
        assertThat(reach.isToBeTried()).isTrue();
        assertThat(reach.isToBeTried()).isTrue();
        reach.succeeded();
        assertThat(reach.isToBeTried()).isTrue();
    }

    /** The clock passes its largest number meanwhile, as the system's may. */
    @Test
    void letsOneTryInEachSecondAfterAFailure() {
        reach.failed(AWAY);
        assertThat(reach.isToBeTried()).isFalse();
        now.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(reach.isToBeTried()).isFalse();
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(reach.isToBeTried()).isTrue();
        assertThat(reach.isToBeTried()).as("another one").isFalse();
        reach.failed(AWAY);
        assertThat(reach.isToBeTried()).isFalse();
    }

    @Test
    void letsEverybodyTryAgainOnceOneHasSucceeded() {
        reach.failed(AWAY);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(reach.isToBeTried()).isTrue();
        reach.succeeded();
        assertThat(reach.isToBeTried()).isTrue();
        assertThat(reach.isToBeTried()).isTrue();
    }
}
