package dev.holdfast.retention;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a policy has to know of a snapshot.
 *
 * @param name the one that it holds
 * @param createdAt the moment that it is a picture of: by this it is ordered, counted and aged
 * @param savedAt by this it is known which version rules it
 */
public record Candidate(
        SnapshotId id,
        Optional<SnapshotName> name,
        SandboxId source,
        Map<String, String> labels,
        Instant createdAt,
        Instant savedAt,
        long bytes,
        Set<Shield> shields) {

    public Candidate {
        Objects.requireNonNull(id);
        Objects.requireNonNull(name);
        Objects.requireNonNull(source);
        labels = Map.copyOf(labels);
        Objects.requireNonNull(createdAt);
        Objects.requireNonNull(savedAt);
        shields = Set.copyOf(shields);
    }
}
