package dev.holdfast.fleet;

import java.util.Locale;

/** How a worker is, as far as others know. */
public enum WorkerState {
    READY,
    /** It lacks something, so it takes no sandboxes. */
    UNFIT,
    /** It was told to: it takes no sandboxes, and pauses those that it has. */
    DRAINING,
    /** Nothing runs there any more. */
    DRAINED,
    /** Its lease is over; what it runs may go on. */
    UNREACHABLE,
    /** What it ran has been given up. */
    LOST;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
