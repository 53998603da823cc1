package dev.holdfast.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What a finished capture reports of itself.
 *
 * @param logicalBytes before compression
 * @param storedBytes what the quota counts, the manifest included
 * @param freeze how long the source stood still
 * @param savedAt the moment the manifest names as that of saving
 * @param expiresAt when it ends by itself; a pause never does
 */
public record Sealed(
        Fingerprint fingerprint,
        long logicalBytes,
        long storedBytes,
        Duration freeze,
        Instant savedAt,
        Optional<Instant> expiresAt) {

    public Sealed {
        Objects.requireNonNull(fingerprint);
        Objects.requireNonNull(freeze);
        Objects.requireNonNull(savedAt);
        Objects.requireNonNull(expiresAt);
        if (logicalBytes < 0 || storedBytes < 0 || freeze.isNegative()) {
            throw new IllegalArgumentException("sizes and times are not negative");
        }
    }
}
