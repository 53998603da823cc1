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

    private final int idlePercent;
    private Reading last;
    private boolean changed = true;

    Activity(int idlePercent) {
        this.idlePercent = idlePercent;
    }

    void see(Reading now) {
        changed = changed || last == null || differs(now);
        last = now;
    }

    boolean hasChanged() {
        return changed;
    }

    /** What comes after the last reading is no longer in the capture, or perhaps is. */
    void captured() {
        changed = false;
    }

    private boolean differs(Reading now) {
        return !now.machine().equals(last.machine())
                || now.visits() != last.visits()
                || (wasSavedBetween(now)
                        ? Math.abs(now.disk() - last.disk()) > NOTES
                        : now.disk() != last.disk() || worked(now));
    }

    /** That costs a sandbox processor time, and its disk a few notes, that are none of its own. */
    private boolean wasSavedBetween(Reading now) {
        return now.saving() || last.saving() || now.saved() != last.saved();
    }

    private boolean worked(Reading now) {
        Duration used = now.cpu().minus(last.cpu());
        Duration passed = Duration.between(last.at(), now.at());
        return used.toNanos() * 100 > passed.toNanos() * idlePercent;
    }
}
