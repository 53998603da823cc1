package dev.holdfast.autosave;

import dev.holdfast.capture.AutoOrder;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.worker.Overdue;
import java.util.Objects;
import java.util.Optional;

/**
 * That a policy may have something to capture.
 *
 * @param end of the sandbox, if it ends with the capture
 * @param due what must still be so when the sandbox is taken
 */
record Occasion(
        SandboxId sandbox, Cause cause, Optional<AutoOrder.End> end, Optional<Overdue> due) {

    Occasion {
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(cause);
        Objects.requireNonNull(end);
        Objects.requireNonNull(due);
    }

    /** The sandbox goes on. */
    static Occasion during(SandboxId sandbox, Cause cause) {
        return new Occasion(sandbox, cause, Optional.empty(), Optional.empty());
    }

    static Occasion killed(SandboxId sandbox, AutoOrder.End end) {
        return new Occasion(sandbox, Cause.KILL, Optional.of(end), Optional.empty());
    }

    static Occasion overdue(Overdue due, AutoOrder.End end) {
        return new Occasion(due.sandbox(), Cause.TIMEOUT, Optional.of(end), Optional.of(due));
    }
}
