package dev.holdfast.api;

import java.util.List;

/**
 * Versions of a project's retention policy, the latest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record RetentionPage(List<RetentionView> versions, String next) {}
