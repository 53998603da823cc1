package dev.holdfast.sandbox;

/** What becomes of a sandbox whose lifetime is over. */
public enum AtTimeout {
    KILL,
    /** Paused with its memory. */
    PAUSE,
    /** Paused; it boots anew from its disk when somebody connects. */
    PAUSE_DISK;

    public boolean pauses() {
        return this != KILL;
    }

    public boolean keepsMemory() {
        return this != PAUSE_DISK;
    }
}
