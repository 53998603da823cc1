package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is to be changed of an allowance, as it is described; what is absent stays. */
@Schema(name = "AllowanceChange", additionalProperties = Schema.False.class)
record AllowanceRequest(
        @Schema(minimum = "0", examples = "107374182400") Long bytes,
        @Schema(minimum = "0") Integer snapshots,
        @Schema(minimum = "0") Integer liveSandboxes,
        @Schema(minimum = "1", maximum = "3153600000") Long longestLifetimeSeconds) {}
