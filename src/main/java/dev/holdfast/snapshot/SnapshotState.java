package dev.holdfast.snapshot;

/** The life of a snapshot; what leads where is in {@link Snapshot}. */
public enum SnapshotState {
    UPLOADING,
    SAVED,
    TRASHED,
    CLEANUP_PENDING
}
