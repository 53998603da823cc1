package dev.holdfast.api;

/** How many snapshots were deleted. */
public record PurgeView(int snapshots) {}
