package dev.holdfast.inventory;

import dev.holdfast.snapshot.SnapshotName;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A snapshot or a live sandbox in a lineage. Of a snapshot that was removed little is left, and of
 * one that was removed long ago its ID alone.
 *
 * @param id of a snapshot a UUID
 * @param state in lower case; of a snapshot also {@code expired}, {@code removed}, {@code gone}
 * @param kind of a snapshot
 * @param parent the snapshot that it descends from
 * @param source the sandbox that a snapshot was made of
 * @param forked whether a sandbox descends from its parent by a fork and does not occupy it
 * @param bytes what a snapshot takes
 * @param removed of a snapshot that was removed or has expired
 * @param fruitful whether anything descends from it; asked of children only
 */
public record Relative(
        Type type,
        String id,
        String state,
        Optional<String> kind,
        Optional<String> parent,
        Optional<SnapshotName> name,
        Optional<String> source,
        boolean forked,
        Optional<Instant> createdAt,
        Optional<Long> bytes,
        Optional<Removed> removed,
        boolean fruitful) {

    /** What it is. */
    public enum Type {
        SNAPSHOT,
        SANDBOX
    }

    /** Why and since when it cannot be used any more. */
    public record Removed(String reason, Instant at) {
        public Removed {
            Objects.requireNonNull(reason);
            Objects.requireNonNull(at);
        }
    }

    public Relative {
        Objects.requireNonNull(type);
        Objects.requireNonNull(id);
        Objects.requireNonNull(state);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(parent);
        Objects.requireNonNull(name);
        Objects.requireNonNull(source);
        Objects.requireNonNull(createdAt);
        Objects.requireNonNull(bytes);
        Objects.requireNonNull(removed);
    }
}
