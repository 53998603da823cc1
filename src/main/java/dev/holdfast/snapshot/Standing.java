package dev.holdfast.snapshot;

import dev.holdfast.sandbox.SandboxId;
import java.util.List;
import java.util.Objects;

/**
 * How a snapshot stands at this moment.
 *
 * @param occupants the live sandboxes that were made from it; while there is one it cannot be
 *     deleted
 */
public record Standing(Verdict verdict, List<SandboxId> occupants) {

    public Standing {
        Objects.requireNonNull(verdict);
        occupants = List.copyOf(occupants);
    }
}
