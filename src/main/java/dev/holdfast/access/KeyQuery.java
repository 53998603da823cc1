package dev.holdfast.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Which keys to list, newest first.
 *
 * @param after the key that the page follows
 */
public record KeyQuery(Standing standing, Optional<Place> after, int limit) {

    /** Which of them. An expired key that nobody revoked is not revoked. */
    public enum Standing {
        LIVE,
        REVOKED,
        ALL
    }

    /** A place in the list. */
    public record Place(Instant createdAt, ApiKeyId id) {}
}
