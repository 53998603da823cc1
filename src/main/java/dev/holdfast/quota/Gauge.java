package dev.holdfast.quota;

import java.util.Objects;

/**
 * How much of a limit is used.
 *
 * @param used more than the limit where that was lowered, or where what may not be refused came on
 *     top
 */
public record Gauge(Limited what, long limit, long used) {

    public Gauge {
        Objects.requireNonNull(what);
        if (limit < 0 || used < 0) {
            throw new IllegalArgumentException("neither a limit nor a use is negative");
        }
    }

    /** Rounded down; of a limit of nothing everything is used up as soon as there is something. */
    public long percent() {
        if (limit == 0) {
            return used == 0 ? 0 : 100;
        }
        return (long) (used * 100.0 / limit);
    }

    public boolean isOver() {
        return used > limit;
    }

    /** Whether somebody should be warned. */
    boolean reaches(int percent) {
        return used > 0 && percent() >= percent;
    }
}
