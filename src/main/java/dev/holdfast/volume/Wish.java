package dev.holdfast.volume;

import java.util.Objects;

/**
 * A mount that somebody asks for.
 *
 * @param volume a volume of the project, by its name or its ID
 */
public record Wish(String volume, MountPath path) {

    public Wish {
        Objects.requireNonNull(volume);
        Objects.requireNonNull(path);
    }
}
