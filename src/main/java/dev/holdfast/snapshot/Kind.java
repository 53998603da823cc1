package dev.holdfast.snapshot;

/** Why a state was kept. */
public enum Kind {
    /** Somebody asked for it. */
    SNAPSHOT,
    /** It is the state of a paused sandbox. */
    PAUSE,
    /** Nobody asked for it by name: a policy did, or it was there before a restore in place. */
    AUTO,
    /** A fork made it in passing. */
    PASSING;

    /** Whether it is somebody's to see and to use for itself. */
    public boolean isListed() {
        return this == SNAPSHOT || this == AUTO;
    }
}
