package dev.holdfast.e2b;

import dev.holdfast.sandbox.Sandbox;
import java.util.List;

/** A volume that a sandbox has mounted. */
public record MountView(String name, String path) {

    static List<MountView> of(Sandbox sandbox) {
        return sandbox.mounts().stream()
                .map(mount -> new MountView(mount.name(), mount.path().value()))
                .toList();
    }
}
