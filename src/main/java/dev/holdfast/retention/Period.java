package dev.holdfast.retention;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** A stretch of the calendar of which one snapshot is kept. */
public enum Period {
    HOURLY("keepHourly") {
        /** The hour that is repeated when clocks go back is another one. */
        @Override
        Object bucket(ZonedDateTime moment) {
            return moment.truncatedTo(ChronoUnit.HOURS).toInstant();
        }

        @Override
        String name(ZonedDateTime moment) {
            return moment.truncatedTo(ChronoUnit.HOURS).toOffsetDateTime().toString();
        }
    },
    DAILY("keepDaily") {
        @Override
        Object bucket(ZonedDateTime moment) {
            return moment.toLocalDate();
        }
    },
    /** From Monday to Sunday. */
    WEEKLY("keepWeekly") {
        @Override
        Object bucket(ZonedDateTime moment) {
            return moment.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        @Override
        String name(ZonedDateTime moment) {
            return "%d-W%02d"
                    .formatted(
                            moment.get(IsoFields.WEEK_BASED_YEAR),
                            moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        }
    },
    MONTHLY("keepMonthly") {
        @Override
        Object bucket(ZonedDateTime moment) {
            return YearMonth.from(moment);
        }
    };

    private final String member;

    Period(String member) {
        this.member = member;
    }

    /** What a rule calls its figure. */
    String member() {
        return member;
    }

    /** The same for all moments of one period, and for no other. */
    Object bucket(Instant moment, ZoneId zone) {
        return bucket(moment.atZone(zone));
    }

    /** For people. */
    String name(Instant moment, ZoneId zone) {
        return name(moment.atZone(zone));
    }

    abstract Object bucket(ZonedDateTime moment);

    String name(ZonedDateTime moment) {
        return bucket(moment).toString();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
