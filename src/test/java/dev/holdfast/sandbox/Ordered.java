package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Sandboxes that were just ordered, for a minute, of worker-1. */
final class Ordered {

    static final Size SIZE = new Size(2, 512, 1024);

    private Ordered() {}

    static Sandbox fresh(int generation, Instant at) {
        return of(generation, Optional.empty(), at);
    }

    static Sandbox from(UUID snapshot, Instant at) {
        return of(2, Optional.of(snapshot), at);
    }

    private static Sandbox of(int generation, Optional<UUID> snapshot, Instant at) {
        return new Sandbox(
                new SandboxOrder(
                        SandboxId.random(),
                        new ProjectId(UUID.randomUUID()),
                        new TemplateId("base"),
                        "0".repeat(64),
                        generation,
                        snapshot,
                        snapshot,
                        Optional.empty(),
                        false,
                        SIZE,
                        List.of(),
                        Map.of(),
                        new SandboxChoices(
                                Duration.ofSeconds(60),
                                true,
                                NetworkPolicy.DEFAULT,
                                Lifecycle.ENDS,
                                Map.of()),
                        Optional.empty(),
                        "key:x"),
                "worker-1",
                at);
    }
}
