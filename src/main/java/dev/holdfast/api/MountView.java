package dev.holdfast.api;

import dev.holdfast.volume.Mount;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A volume that is mounted.
 *
 * @param name what it was called when it was mounted first
 */
@Schema(
        name = "Mount",
        requiredProperties = {"volumeId", "name", "path"})
public record MountView(
        @Schema(format = "uuid") String volumeId,
        @Schema(examples = "datasets") String name,
        @Schema(examples = "/mnt/data") String path) {

    static List<MountView> of(List<Mount> mounts) {
        return mounts.stream()
                .map(
                        mount ->
                                new MountView(
                                        mount.volume().toString(),
                                        mount.name(),
                                        mount.path().value()))
                .toList();
    }
}
