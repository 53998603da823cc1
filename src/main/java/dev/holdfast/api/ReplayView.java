package dev.holdfast.api;

/** How many deliveries are sent once more. */
public record ReplayView(int deliveries) {}
