package dev.holdfast.api;

import java.util.List;

/**
 * A page of keys, newest first, without their secrets.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
public record KeyPage(List<KeyView> keys, String next) {}
