package dev.holdfast.event;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the log has of one event.
 *
 * @param at when it was written down, in the transaction that made it true
 * @param project empty for what is the service's own
 * @param type the word of an {@link EventType}, perhaps of a newer build
 */
public record EventEntry(
        EventId id,
        Instant at,
        Optional<UUID> project,
        String type,
        String kind,
        String subject,
        Map<String, String> details) {}
