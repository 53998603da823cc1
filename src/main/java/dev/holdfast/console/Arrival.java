package dev.holdfast.console;

import dev.holdfast.access.Grants;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A person who comes in on a provider's word.
 *
 * @param subject what the provider calls them for good
 * @param name what people call them
 * @param longest how long that word holds
 * @param farewell where the provider wants to hear that they have left
 */
public record Arrival(
        String subject, String name, Grants grants, Duration longest, Optional<String> farewell) {

    public Arrival {
        Objects.requireNonNull(subject);
        Objects.requireNonNull(name);
        Objects.requireNonNull(farewell);
        if (grants.isEmpty() || longest.isNegative() || longest.isZero()) {
            throw new IllegalArgumentException("Nobody comes in for nothing, or for no time");
        }
    }
}
