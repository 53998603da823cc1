package dev.holdfast.agent;

/** The agent has stopped sending: `sequence` is the number of its last frame. */
public record Quiet(long sequence) {}
