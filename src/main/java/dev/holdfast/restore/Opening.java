package dev.holdfast.restore;

import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkOverride;
import dev.holdfast.sandbox.SandboxChoices;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for a sandbox. What is empty is not an override: a restored sandbox then has what its
 * snapshot says, a fresh one the default.
 *
 * @param reference a template, or a snapshot by ID or qualified name
 */
public record Opening(
        String reference,
        Duration lifetime,
        boolean secured,
        NetworkOverride network,
        Optional<Lifecycle> lifecycle,
        Optional<Map<String, String>> metadata,
        Map<String, String> environment) {

    public Opening {
        Objects.requireNonNull(reference);
        Objects.requireNonNull(lifetime);
        Objects.requireNonNull(lifecycle);
        Objects.requireNonNull(network);
        metadata =
                metadata.map(map -> SandboxChoices.bounded("metadata", map))
                        .filter(map -> !map.isEmpty());
        environment = SandboxChoices.bounded("envVars", environment);
    }
}
