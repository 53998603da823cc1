package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.audit.RefusalCount.Fate;
import org.junit.jupiter.api.Test;

class RefusalCountTest {
    private static final long MINUTE = RefusalCount.PERIOD.toNanos();

    private final RefusalCount count = new RefusalCount();

    private void tell(int times, long now) {
        for (int i = 0; i < times; i++) {
            assertThat(count.next(now)).isEqualTo(Fate.TELL);
        }
    }

    @Test
    void tellsABoundedNumberSinglyAndCountsTheRest() {
        tell(RefusalCount.MOST, 5);

        assertThat(count.next(6)).isEqualTo(Fate.FIRST_TOO_MANY);
        assertThat(count.next(7)).isEqualTo(Fate.TOO_MANY);
        assertThat(count.next(8)).isEqualTo(Fate.TOO_MANY);
        assertThat(count.takeUntold()).isEqualTo(3);
        assertThat(count.takeUntold()).isZero();
    }

    @Test
    void beginsAnewAfterAMinute() {
        tell(RefusalCount.MOST, -MINUTE);
        tell(RefusalCount.MOST, 0);

        assertThat(count.next(MINUTE - 1)).isEqualTo(Fate.FIRST_TOO_MANY);
    }
}
