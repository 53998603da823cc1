package dev.holdfast.event;

import java.util.Optional;

/**
 * The number of an event in the log. Its text has always the same length, so that texts compare
 * like the events they name.
 */
public record EventId(long position) implements Comparable<EventId> {

    /** Before the first of all. */
    public static final EventId NONE = new EventId(0);

    public EventId {
        if (position < 0) {
            throw new IllegalArgumentException("an event's number cannot be negative");
        }
    }

    /** Empty for what was never the text of one. */
    public static Optional<EventId> parse(String text) {
        return text.matches("[0-9]{16}")
                ? Optional.of(new EventId(Long.parseLong(text)))
                : Optional.empty();
    }

    @Override
    public int compareTo(EventId other) {
        return Long.compare(position, other.position);
    }

    @Override
    public String toString() {
        return "%016d".formatted(position);
    }
}
