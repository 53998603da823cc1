package dev.holdfast.autosave;

import java.util.Locale;

/** What made a policy capture a sandbox. */
public enum Cause {
    /** So much time had passed, and something had changed. */
    INTERVAL,
    /** Its lifetime was over, or nobody had used it for as long as it may be idle. */
    TIMEOUT,
    /** Somebody killed it. */
    KILL,
    /** Its memory was nearly full. */
    MEMORY;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
