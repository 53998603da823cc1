package dev.holdfast.restore;

import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.snapshot.SnapshotId;
import java.util.Objects;

/**
 * A sandbox that runs from a snapshot in the place of the state that it had.
 *
 * @param before that state, kept as a snapshot
 */
public record Replaced(Sandbox sandbox, SnapshotId before) {

    public Replaced {
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(before);
    }
}
