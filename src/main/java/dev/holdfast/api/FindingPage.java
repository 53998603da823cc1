package dev.holdfast.api;

import java.util.List;

/**
 * A page of what the last run of a job found, by subject and reason.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record FindingPage(List<FindingView> findings, String next) {}
