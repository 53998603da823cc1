package dev.holdfast.e2b;

import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot, as create and list answer.
 *
 * @param names the qualified name, made from the project's present slug; none for an unnamed one
 */
public record SnapshotView(
        String snapshotID,
        List<String> names,
        String sandboxID,
        Instant createdAt,
        Instant expiresAt,
        long sizeBytes) {

    static SnapshotView of(Snapshot snapshot, Optional<Slug> slug) {
        return new SnapshotView(
                snapshot.id().toString(),
                snapshot.name().stream()
                        .flatMap(name -> slug.stream().map(s -> name.qualified(s.value())))
                        .toList(),
                snapshot.source().value(),
                snapshot.createdAt(),
                snapshot.endsAt().orElse(null),
                snapshot.storedBytes());
    }
}
