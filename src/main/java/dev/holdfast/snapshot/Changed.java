package dev.holdfast.snapshot;

import java.util.Objects;

/** A snapshot was changed after it was saved; told inside the transaction that changes it. */
public record Changed(SnapshotId id) {

    public Changed {
        Objects.requireNonNull(id);
    }
}
