package dev.holdfast.volume;

/**
 * What the volumes of a project come to, apart from its snapshots. Those that are being removed
 * count until their files have gone.
 *
 * @param bytes the limits of all of them: so much is promised
 */
public record Allotment(long volumes, long mostVolumes, long bytes, long mostBytes) {}
