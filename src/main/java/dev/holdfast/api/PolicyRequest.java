package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a project's own people may set.
 *
 * @param retentionSeconds how long snapshots are kept that are saved from now on; 0: as long as the
 *     service has it
 * @param trashSeconds for how long what is deleted or expires from now on can be brought back; 0:
 *     not at all
 */
public record PolicyRequest(
        @Schema(minimum = "0", examples = "604800") Long retentionSeconds,
        @Schema(minimum = "0", examples = "86400") Long trashSeconds) {}
