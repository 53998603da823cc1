package dev.holdfast.snapshot;

/** Whether the stored parts of a snapshot are there and whole, as far as anybody has looked. */
public enum PartsState {
    PENDING,
    COMPLETE,
    MISSING,
    CORRUPT
}
