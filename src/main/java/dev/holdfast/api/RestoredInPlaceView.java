package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A sandbox that runs from a snapshot, under the ID and the tokens that it had.
 *
 * @param report what was cut, renewed, and could not be renewed
 * @param stateBefore the snapshot of kind {@code auto} that has the state it had before
 */
@Schema(
        name = "SandboxRestoredInPlace",
        requiredProperties = {"sandbox", "stateBefore"})
public record RestoredInPlaceView(
        SandboxView sandbox,
        SandboxView.ReportView report,
        @Schema(format = "uuid") String stateBefore) {}
