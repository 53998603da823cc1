package dev.holdfast.snapshot;

/** Why a snapshot was removed; the words of the database and of tombstones. */
public enum RemovalReason {
    deleted,
    expired,
    failed
}
