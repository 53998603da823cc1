package dev.holdfast.snapshot;

/** Why a state was kept. */
public enum Kind {
    /** Somebody asked for it. */
    SNAPSHOT,
    /** It is the state of a paused sandbox. */
    PAUSE,
    /** It was made in passing: by a fork, a policy, or a restore in place. */
    AUTO
}
