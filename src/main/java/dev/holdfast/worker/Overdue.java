package dev.holdfast.worker;

import dev.holdfast.sandbox.SandboxId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A sandbox of this worker whose time seems to be over; its row has the last word.
 *
 * @param idle for how long nobody has used it; empty when it is the lifetime that is over
 */
public record Overdue(SandboxId sandbox, Optional<Duration> idle) {

    public Overdue {
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(idle);
    }
}
