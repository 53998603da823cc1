package dev.holdfast.snapshot;

/** Why a state was kept. */
public enum Kind {
    /** Somebody asked for it. */
    SNAPSHOT,
    /** It is the state of a paused sandbox. */
    PAUSE,
    /** A policy made it, or a restore in place. */
    AUTO
}
