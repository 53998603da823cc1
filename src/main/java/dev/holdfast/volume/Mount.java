package dev.holdfast.volume;

import java.util.Objects;

/**
 * A volume at a path of a sandbox, as its row and those of its snapshots keep it.
 *
 * @param name what the volume was called when it was mounted first
 */
public record Mount(VolumeId volume, String name, MountPath path) {

    public Mount {
        Objects.requireNonNull(volume);
        Objects.requireNonNull(name);
        Objects.requireNonNull(path);
    }
}
