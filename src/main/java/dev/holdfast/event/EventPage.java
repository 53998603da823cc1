package dev.holdfast.event;

import java.util.List;

/**
 * Some of the log, in its order.
 *
 * @param gap whether events may be missing between where the reader was and this: they are not kept
 *     any more, or the reader was where this log has never been
 */
public record EventPage(List<EventEntry> events, boolean gap) {

    public EventPage {
        events = List.copyOf(events);
    }
}
