package dev.holdfast.restore;

import dev.holdfast.sandbox.Sandbox;
import java.util.Objects;

/**
 * A sandbox that runs.
 *
 * @param resumed whether it was paused before
 */
public record Connected(Sandbox sandbox, boolean resumed) {

    public Connected {
        Objects.requireNonNull(sandbox);
    }
}
