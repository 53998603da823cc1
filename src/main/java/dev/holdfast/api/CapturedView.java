package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot, as its capture answers.
 *
 * @param name the qualified one; absent for an unnamed one
 * @param storedBytes what the quota counts
 * @param freezeMillis how long the source stood still
 */
public record CapturedView(
        String id,
        String uploadId,
        String name,
        String sandboxId,
        String templateId,
        Instant createdAt,
        Instant expiresAt,
        long storedBytes,
        Long freezeMillis) {

    static CapturedView of(Snapshot snapshot, Optional<Slug> slug) {
        return new CapturedView(
                snapshot.id().toString(),
                snapshot.upload().toString(),
                snapshot.name()
                        .flatMap(name -> slug.map(own -> name.qualified(own.value())))
                        .orElse(null),
                snapshot.source().value(),
                snapshot.template().value(),
                snapshot.createdAt(),
                snapshot.expiresAt().orElse(null),
                snapshot.storedBytes(),
                snapshot.freeze().map(Duration::toMillis).orElse(null));
    }
}
