package dev.holdfast.event;

import java.util.Optional;
import java.util.UUID;

/**
 * Which events to read, in their order.
 *
 * @param project empty: of all, and of the service
 * @param kind of what it happened to
 * @param subject the ID of what it happened to
 * @param after behind this one
 */
public record EventQuery(
        Optional<UUID> project,
        Optional<String> kind,
        Optional<String> subject,
        EventId after,
        int limit) {

    /** The same from there on. */
    public EventQuery after(EventId last) {
        return new EventQuery(project, kind, subject, last, limit);
    }
}
