package dev.holdfast.restore;

import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkOverride;
import dev.holdfast.sandbox.SandboxChoices;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.volume.Wishes;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for a sandbox. What is empty is not an override: a restored sandbox then has what its
 * snapshot says, a fresh one the default.
 *
 * @param reference a template, or a snapshot by ID or qualified name
 * @param chosen the ID that the caller wants it to have
 * @param secured empty: as its snapshot
 * @param idle how long it may be idle
 * @param mounting the volumes that are asked for
 */
public record Opening(
        String reference,
        Optional<SandboxId> chosen,
        Duration lifetime,
        Optional<Duration> idle,
        Optional<Boolean> secured,
        NetworkOverride network,
        Optional<Lifecycle> lifecycle,
        Optional<Map<String, String>> metadata,
        Map<String, String> environment,
        Wishes mounting,
        Optional<Idempotency> idempotency) {

    /** The same, under the name that its caller gave it. */
    public Opening named(Idempotency name) {
        return new Opening(
                reference,
                chosen,
                lifetime,
                idle,
                secured,
                network,
                lifecycle,
                metadata,
                environment,
                mounting,
                Optional.of(name));
    }

    public Opening {
        Objects.requireNonNull(reference);
        Objects.requireNonNull(chosen);
        Objects.requireNonNull(lifetime);
        Objects.requireNonNull(idle);
        Objects.requireNonNull(secured);
        Objects.requireNonNull(lifecycle);
        Objects.requireNonNull(network);
        metadata =
                metadata.map(map -> SandboxChoices.bounded("metadata", map))
                        .filter(map -> !map.isEmpty());
        Objects.requireNonNull(mounting);
        Objects.requireNonNull(idempotency);
        environment = SandboxChoices.bounded("envVars", environment);
    }

    /** What happens to it by itself, where the request does not say as the origin has it. */
    Lifecycle lifecycle(Lifecycle inherited) {
        return lifecycle.orElse(inherited).idleFor(idle.or(inherited::idleTimeout));
    }
}
