package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A sandbox made from a snapshot.
 *
 * @param report what was cut, renewed, and could not be renewed
 */
@Schema(
        name = "RestoredSandbox",
        requiredProperties = {"sandbox"})
public record RestoredView(SandboxView sandbox, SandboxView.ReportView report) {}
