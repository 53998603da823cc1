package dev.holdfast.api;

/**
 * A sandbox made from a snapshot.
 *
 * @param report what was cut, renewed, and could not be renewed
 */
public record RestoredView(SandboxView sandbox, SandboxView.ReportView report) {}
