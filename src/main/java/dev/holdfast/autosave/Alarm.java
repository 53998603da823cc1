package dev.holdfast.autosave;

/**
 * Whether a sandbox comes into danger of ending for want of memory. Raised once for each time that
 * it comes: a use that goes up and down about the threshold is one.
 */
final class Alarm {

    /** So far below the threshold it is out of danger. */
    private static final int CLEARANCE = 10;

    private boolean raised;

    /** Whether it is in danger and nobody has been told. */
    boolean isDue(long used, long limit, int thresholdPercent) {
        double percent = 100.0 * used / Math.max(1, limit);
        if (percent < Math.max(0, thresholdPercent - CLEARANCE)) {
            raised = false;
        }
        return !raised && percent >= thresholdPercent;
    }

    void raise() {
        raised = true;
    }
}
