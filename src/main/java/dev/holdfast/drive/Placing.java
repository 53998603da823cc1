package dev.holdfast.drive;

import java.util.Objects;

/**
 * How something new gets to its path.
 *
 * @param overwrite whether a file that is there goes
 * @param parents whether directories on the way are made
 */
public record Placing(boolean overwrite, boolean parents, Owner owner) {

    public Placing {
        Objects.requireNonNull(owner);
    }
}
