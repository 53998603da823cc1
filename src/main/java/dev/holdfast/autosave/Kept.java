package dev.holdfast.autosave;

import dev.holdfast.snapshot.SnapshotId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A saved capture of a policy.
 *
 * @param shielded whether it is pinned, held or occupied, and so goes by no policy
 */
record Kept(SnapshotId id, long bytes, Instant savedAt, boolean shielded) {

    private static final Comparator<Kept> NEWEST_FIRST =
            Comparator.comparing(Kept::savedAt)
                    .thenComparing(kept -> kept.id().value().toString())
                    .reversed();

    Kept {
        Objects.requireNonNull(id);
        Objects.requireNonNull(savedAt);
    }

    /**
     * Those of one sandbox that are too many. What is shielded counts as every other one, or what
     * goes would change whenever somebody starts a sandbox from one.
     */
    static List<Kept> surplus(List<Kept> all, int keepLast) {
        return all.stream()
                .sorted(NEWEST_FIRST)
                .skip(keepLast)
                .filter(kept -> !kept.shielded())
                .toList();
    }
}
