package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of entries, newest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(requiredProperties = {"entries"})
public record AuditPage(List<AuditView> entries, String next) {}
