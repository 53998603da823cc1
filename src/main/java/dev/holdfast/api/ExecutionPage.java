package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of executions, newest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(requiredProperties = {"executions"})
public record ExecutionPage(List<ExecutionView> executions, String next) {}
