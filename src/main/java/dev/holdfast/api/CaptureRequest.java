package dev.holdfast.api;

/**
 * What is to be saved.
 *
 * @param name {@code [slug/]short[:tag]}; unnamed if absent or empty
 * @param memory whether what is made from it goes on where the sandbox was; true if absent
 * @param deadline the seconds it may take
 */
public record CaptureRequest(String name, Boolean memory, Long deadline) {}
