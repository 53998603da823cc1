package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How many deliveries are sent once more. */
@Schema(
        name = "Replay",
        requiredProperties = {"deliveries"})
public record ReplayView(int deliveries) {}
