package dev.holdfast.audit;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Which entries to read, newest first.
 *
 * @param project empty: those of the service
 * @param subject the ID of what it was about
 * @param from no earlier than this
 * @param to earlier than this
 * @param after the entry that the page follows
 */
public record AuditQuery(
        Optional<UUID> project,
        Optional<String> principal,
        Optional<Action> action,
        Optional<String> subject,
        Optional<Outcome> outcome,
        Optional<Instant> from,
        Optional<Instant> to,
        Optional<Place> after,
        int limit) {

    /** A place in the list. */
    public record Place(Instant at, long id) {
        public static Place of(AuditEntry entry) {
            return new Place(entry.at(), entry.id());
        }
    }

    /** The page behind an entry. */
    public AuditQuery behind(AuditEntry last) {
        return new AuditQuery(
                project,
                principal,
                action,
                subject,
                outcome,
                from,
                to,
                Optional.of(Place.of(last)),
                limit);
    }
}
