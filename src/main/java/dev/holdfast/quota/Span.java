package dev.holdfast.quota;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Time in which a project's level did not change. */
record Span(Instant from, Instant to, Level level) {

    Span {
        Objects.requireNonNull(level);
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a span ends where it begins or later");
        }
    }

    /**
     * The days it touches, its midnights UTC. A level that lasted no time belongs to its day as
     * well, for it may have been the day's highest. The midnight at its end touches no further day.
     */
    List<UsageDay> days() {
        List<UsageDay> days = new ArrayList<>();
        Instant begin = from;
        do {
            LocalDate day = LocalDate.ofInstant(begin, ZoneOffset.UTC);
            Instant midnight = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
            Instant end = midnight.isBefore(to) ? midnight : to;
            days.add(UsageDay.of(day, level, Duration.between(begin, end)));
            begin = end;
        } while (begin.isBefore(to));
        return days;
    }
}
