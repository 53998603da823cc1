package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of what the last run of a job found, by subject and reason.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(requiredProperties = {"findings"})
public record FindingPage(List<FindingView> findings, String next) {}
