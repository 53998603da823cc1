package dev.holdfast.e2b;

import java.time.DateTimeException;
import java.time.Instant;

/** Moments that clients write. */
final class Moments {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Moments() {}

    /**
     * @throws DateTimeException for what Java can say and the database cannot compare
     */
    static Instant storable(Instant moment) {
        if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
            throw new DateTimeException("a moment is within the years 1 to 9999");
        }
        return moment;
    }
}
