package dev.holdfast.api;

import java.util.List;

/**
 * A page of executions, newest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record ExecutionPage(List<ExecutionView> executions, String next) {}
