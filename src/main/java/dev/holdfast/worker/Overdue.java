package dev.holdfast.worker;

import dev.holdfast.sandbox.SandboxId;
import java.util.Objects;

/** A sandbox of this worker whose lifetime seems to be over; its row has the last word. */
public record Overdue(SandboxId sandbox) {

    public Overdue {
        Objects.requireNonNull(sandbox);
    }
}
