package dev.holdfast.audit;

import java.time.Duration;

/** How many refusals of one principal there were in a minute. */
final class RefusalCount {
    static final Duration PERIOD = Duration.ofMinutes(1);
    static final int MOST = 30;

    /** What becomes of one of them. */
    enum Fate {
        TELL,
        FIRST_TOO_MANY,
        TOO_MANY
    }

    private long begin;
    private int told;
    private long untold;

    /**
     * @param now of a clock that only goes forward, in nanoseconds
     */
    synchronized Fate next(long now) {
        if (told == 0 || now - begin >= PERIOD.toNanos()) {
            begin = now;
            told = 0;
        }
        if (told < MOST) {
            told++;
            return Fate.TELL;
        }
        // Until the number is taken, more of the next minute may be added to it.
        return untold++ == 0 ? Fate.FIRST_TOO_MANY : Fate.TOO_MANY;
    }

    synchronized long takeUntold() {
        long number = untold;
        untold = 0;
        return number;
    }
}
