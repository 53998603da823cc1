package dev.holdfast.api;

import dev.holdfast.snapshot.Pin;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What {@link GuardRequest} reads of a hold, which has an end in any case; for the description. */
public record HoldRequest(
        @Schema(required = true, minLength = 1, maxLength = Pin.LONGEST_REASON) String reason,
        @Schema(required = true, format = "date-time", examples = "2030-01-31T12:00:00Z")
                String until) {}
