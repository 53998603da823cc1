package dev.holdfast.autosave;

import dev.holdfast.worker.Reading;
import java.time.Duration;

/**
 * Whether something has changed in a sandbox since it was last captured, as far as the host sees:
 * somebody was at its data plane, its disk holds another amount, or it used more of a processor
 * than an idle one does. Until it has been watched for a moment it counts as changed: nobody knows
 * what went on before.
 */
final class Activity {

    private static final long NOTES = 64 * 1024;

    /** For so many readings a sandbox may be at work because it was saved. */
    private static final int SETTLING = 3;

    private final int idlePercent;
    private int settling;
    private Reading last;
    private boolean changed = true;
    private boolean beingSaved;

    Activity(int idlePercent) {
        this.idlePercent = idlePercent;
    }

    void see(Reading now) {
        settling = last != null && wasSavedBetween(now) ? SETTLING : Math.max(0, settling - 1);
        changed = changed || last == null || differs(now);
        last = now;
    }

    boolean hasChanged() {
        return changed;
    }

    /** What comes after the last reading is no longer in the capture, or perhaps is. */
    void captured() {
        changed = false;
        beingSaved = true;
    }

    /** Whether nobody has said yet what became of the capture. */
    boolean isBeingSaved() {
        return beingSaved;
    }

    void saved() {
        beingSaved = false;
    }

    /** What was to be in the capture is in none. */
    void notSaved() {
        beingSaved = false;
        changed = true;
    }

    private boolean differs(Reading now) {
        return !now.machine().equals(last.machine())
                || now.visits() != last.visits()
                || (settling > 0
                        ? Math.abs(now.disk() - last.disk()) > NOTES
                        : now.disk() != last.disk() || worked(now));
    }

    /**
     * That costs a sandbox processor time, and its disk a few notes, that are none of its own; also
     * afterwards, while it finds its memory again. Who works on is seen soon enough.
     */
    private boolean wasSavedBetween(Reading now) {
        return now.saving() || last.saving() || now.saved() != last.saved();
    }

    private boolean worked(Reading now) {
        Duration used = now.cpu().minus(last.cpu());
        Duration passed = Duration.between(last.at(), now.at());
        return used.toNanos() * 100 > passed.toNanos() * idlePercent;
    }
}
