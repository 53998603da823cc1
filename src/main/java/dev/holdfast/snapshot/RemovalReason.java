package dev.holdfast.snapshot;

/** Why a snapshot was removed. */
public enum RemovalReason {
    DELETED,
    EXPIRED,
    FAILED
}
