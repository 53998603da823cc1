package dev.holdfast.sandbox;

import java.util.Objects;
import java.util.UUID;

/**
 * The saved state that is to take the place of a sandbox's own.
 *
 * @param reboot whether only its disk is taken
 * @param worker who makes a machine from it
 */
public record Replacement(UUID image, boolean reboot, String worker) {
    public Replacement {
        Objects.requireNonNull(image);
        Objects.requireNonNull(worker);
    }
}
