package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Where something in a volume is to be.
 *
 * @param to from the volume's root on
 * @param overwrite whether a file that is there goes
 */
@Schema(
        name = "VolumeMoveRequest",
        requiredProperties = {"to"},
        additionalProperties = Schema.False.class)
public record VolumeMoveRequest(
        @Schema(examples = "/data/old/notes.txt") String to, Boolean overwrite) {}
