package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTest {

    private static final Duration TENURE = Duration.ofMinutes(4);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // it may turn over
    private final Lease lease = new Lease(clock::get, TENURE);

    @Test
    void endsNothingBeforeThereIsOne() {
        pass(Duration.ofDays(1));

        assertThat(lease.isOver()).isFalse();
    }

    @Test
    void countsFromBeforeTheRenewalWasAskedFor() {
        long asked = lease.now();
        pass(Duration.ofSeconds(20)); // so long the database took to confirm it
        lease.renewed(asked);

        pass(TENURE.minusSeconds(21));
        assertThat(lease.isOver()).isFalse();
        pass(Duration.ofSeconds(1));
        assertThat(lease.isOver()).isTrue();
    }

    @Test
    void outlivesAnOutageOfAMinute() {
        lease.renewed(lease.now());
        pass(Duration.ofMinutes(1));
        assertThat(lease.isOver()).isFalse();

        lease.renewed(lease.now());
        pass(TENURE.minusSeconds(1));
        assertThat(lease.isOver()).isFalse();
    }

    @Test
    void isOverAtOnceWhenOthersHaveGivenItUp() {
        lease.renewed(lease.now());
        lease.forfeit();
        assertThat(lease.isOver()).isTrue();

        lease.renewed(lease.now());
        assertThat(lease.isOver()).isFalse();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
