package dev.holdfast.api;

/**
 * What a project's own people may set.
 *
 * @param retentionSeconds how long snapshots are kept that are saved from now on; 0: as long as the
 *     service has it
 */
public record PolicyRequest(Long retentionSeconds) {}
