package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How many snapshots were deleted. */
@Schema(
        name = "Purge",
        requiredProperties = {"snapshots"})
public record PurgeView(int snapshots) {}
