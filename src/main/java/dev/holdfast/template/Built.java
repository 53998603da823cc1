package dev.holdfast.template;

import java.util.Map;

/**
 * What a build made.
 *
 * @param bytes the size of the image
 * @param environment what the archive says of the environment of its programs
 */
public record Built(long bytes, Map<String, String> environment) {
    public Built {
        environment = Map.copyOf(environment);
    }
}
