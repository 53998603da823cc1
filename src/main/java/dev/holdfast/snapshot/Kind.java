package dev.holdfast.snapshot;

/** Why a state was kept. */
public enum Kind {
    /** Somebody asked for it. */
    SNAPSHOT,
    /** It is the state of a paused sandbox. */
    PAUSE,
    /** Nobody asked for it by itself: it was made by a policy, or before a restore in place. */
    AUTO,
    /** It was made in passing, and is only kept until its forks have started. */
    FORK;

    /**
     * Those that are listed, for statements. It stands in them as it does in the indexes, so that
     * these are found.
     */
    public static final String LISTED = "('SNAPSHOT', 'AUTO')";

    /** Whether it is a snapshot to its project; what a sandbox needs is nobody's to name. */
    public boolean isListed() {
        return this == SNAPSHOT || this == AUTO;
    }
}
