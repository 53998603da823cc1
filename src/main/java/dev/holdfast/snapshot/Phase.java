package dev.holdfast.snapshot;

/** How far a capture has come. */
public enum Phase {
    /** The request is on its way to the worker. */
    ACCEPTED,
    /** The worker has claimed it and writes the state to its disk. */
    FREEZING,
    /** The source goes on; the parts are compressed, hashed and stored. */
    SEALING,
    DONE
}
