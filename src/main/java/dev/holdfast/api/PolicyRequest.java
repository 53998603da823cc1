package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a project's own people may set.
 *
 * @param retentionSeconds how long snapshots are kept that are saved from now on; 0: as long as the
 *     service has it
 */
public record PolicyRequest(@Schema(minimum = "0", examples = "604800") Long retentionSeconds) {}
