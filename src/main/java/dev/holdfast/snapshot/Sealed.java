package dev.holdfast.snapshot;

import java.time.Duration;
import java.util.Objects;

/**
 * What a finished capture reports of itself.
 *
 * @param partsJson the manifest's list of parts
 * @param manifestSha256 the digest of the manifest, which was stored last
 * @param logicalBytes before compression
 * @param storedBytes what the quota counts, the manifest included
 * @param freeze how long the source stood still
 */
public record Sealed(
        Fingerprint fingerprint,
        String partsJson,
        String manifestSha256,
        long logicalBytes,
        long storedBytes,
        Duration freeze) {

    public Sealed {
        Objects.requireNonNull(fingerprint);
        Objects.requireNonNull(partsJson);
        Objects.requireNonNull(manifestSha256);
        Objects.requireNonNull(freeze);
        if (logicalBytes < 0 || storedBytes < 0 || freeze.isNegative()) {
            throw new IllegalArgumentException("sizes and times are not negative");
        }
    }
}
