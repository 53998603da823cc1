package dev.holdfast.api;

import dev.holdfast.event.EventEntry;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * What happened.
 *
 * @param id grows in the order of the log, also as text; the same wherever the event is told
 * @param project absent for what is the service's own
 * @param data more, different for each type
 */
public record EventView(
        String id,
        String type,
        Instant timestamp,
        String project,
        SubjectView subject,
        Map<String, String> data) {

    /** What it happened to. */
    public record SubjectView(String kind, String id) {}

    static EventView of(EventEntry entry) {
        return new EventView(
                entry.id().toString(),
                entry.type(),
                entry.at(),
                entry.project().map(UUID::toString).orElse(null),
                new SubjectView(entry.kind(), entry.subject()),
                entry.details());
    }
}
