package dev.holdfast.snapshot;

import dev.holdfast.sandbox.SandboxId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which snapshots a list shows.
 *
 * @param source only those of one sandbox
 * @param id only this one
 * @param shortName only those with this short name
 * @param tag only those with this tag, given a short name
 * @param after only those older than this place of the list
 * @param limit how many at most, 1 to 100
 */
public record SnapshotQuery(
        Optional<SandboxId> source,
        Optional<SnapshotId> id,
        Optional<String> shortName,
        Optional<String> tag,
        Optional<Place> after,
        int limit) {

    /** A place in the list, newest first. */
    public record Place(Instant createdAt, SnapshotId id) {
        public Place {
            Objects.requireNonNull(createdAt);
            Objects.requireNonNull(id);
        }
    }

    public SnapshotQuery {
        Objects.requireNonNull(source);
        Objects.requireNonNull(id);
        Objects.requireNonNull(shortName);
        Objects.requireNonNull(tag);
        Objects.requireNonNull(after);
        if (limit < 1 || limit > 101) {
            throw new IllegalArgumentException("a list has 1 to 100 rows");
        }
    }
}
