package dev.holdfast.api;

import java.util.List;

/**
 * A page of entries, newest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record AuditPage(List<AuditView> entries, String next) {}
