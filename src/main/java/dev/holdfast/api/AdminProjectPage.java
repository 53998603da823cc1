package dev.holdfast.api;

import java.util.List;

/**
 * A page of projects, the oldest first.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record AdminProjectPage(List<AdminProjectView> projects, String next) {}
