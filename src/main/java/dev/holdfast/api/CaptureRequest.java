package dev.holdfast.api;

import java.util.Map;

/**
 * What is to be saved.
 *
 * @param name {@code [slug/]short[:tag]}; unnamed if absent or empty
 * @param memory whether what is made from it goes on where the sandbox was; true if absent
 * @param deadline the seconds it may take
 * @param retention the seconds it is kept from the moment it is saved; as its project has it if
 *     absent
 * @param labels up to 32
 */
public record CaptureRequest(
        String name, Boolean memory, Long deadline, Long retention, Map<String, String> labels) {}
