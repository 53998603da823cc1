package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.volume.MountPath;
import dev.holdfast.volume.Wish;
import dev.holdfast.volume.Wishes;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A volume that is to be mounted.
 *
 * @param name its name or its ID
 * @param path where, an absolute path of the sandbox
 */
@Schema(
        name = "MountRequest",
        requiredProperties = {"name", "path"})
public record MountRequest(
        @Schema(maxLength = 128, examples = "datasets") String name,
        @Schema(maxLength = 200, examples = "/mnt/data") String path) {

    /**
     * @throws Problem {@code invalid_parameter}
     */
    static Wishes wishes(List<MountRequest> asked) {
        return new Wishes(asked.stream().map(MountRequest::wish).toList());
    }

    private static Wish wish(MountRequest asked) {
        if (asked == null || asked.name() == null || asked.path() == null) {
            throw Problem.invalid(
                    "volumeMounts",
                    "\"volumeMounts\" is a list of {\"name\": a volume, \"path\": where it is"
                            + " mounted}.");
        }
        return new Wish(asked.name(), new MountPath(asked.path()));
    }
}
