package dev.holdfast.retention;

import java.util.Locale;
import java.util.Objects;

/**
 * One reason of a ruling.
 *
 * @param words for people
 */
public record Ground(Kind kind, String words) {

    /** The words are API: they may be added, never renamed. */
    public enum Kind {
        /** It is kept because of: */
        NO_RULE,
        NO_LIMIT,
        LAST,
        HOURLY,
        DAILY,
        WEEKLY,
        MONTHLY,
        MINIMUM_AGE,
        HELD,
        PINNED,
        OCCUPIED,
        /** It goes because of: */
        MAXIMUM_AGE,
        SURPLUS;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Ground {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(words);
    }

    static Ground of(Period period, String words) {
        return new Ground(Kind.valueOf(period.name()), words);
    }

    static Ground of(Shield shield) {
        return new Ground(Kind.valueOf(shield.name()), shield.words());
    }
}
