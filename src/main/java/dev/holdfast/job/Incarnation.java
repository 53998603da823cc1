package dev.holdfast.job;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** This node from its start to its end: what it began under an earlier one, nobody goes on with. */
@ApplicationScoped
public class Incarnation {

    private final UUID id = UUID.randomUUID();

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String node;

    UUID id() {
        return id;
    }

    String node() {
        return node;
    }
}
