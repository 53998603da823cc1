package dev.holdfast.capture;

import dev.holdfast.snapshot.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of captures, {@code holdfast.capture.*}; durations in ISO 8601. */
@ApplicationScoped
public class CaptureConfig {

    @Inject
    @ConfigProperty(name = "holdfast.capture.deadline", defaultValue = "PT15M")
    Duration deadline;

    @Inject
    @ConfigProperty(name = "holdfast.capture.retention", defaultValue = "P7D")
    Duration retention;

    @Inject
    @ConfigProperty(name = "holdfast.capture.passing", defaultValue = "PT15M")
    Duration passing;

    @Inject
    @ConfigProperty(name = "holdfast.capture.wait", defaultValue = "PT280S")
    Duration wait;

    /** A capture that is not saved by then has failed. */
    public Duration deadline() {
        return deadline;
    }

    /**
     * How long a state lives from the moment it is saved; that of a pause as long as its sandbox
     * needs it, and that of a fork no longer than a server that dies may leave it behind.
     */
    public Optional<Duration> retention(Kind kind) {
        return switch (kind) {
            case SNAPSHOT, AUTO -> Optional.of(retention);
            case PAUSE -> Optional.empty();
            case FORK -> Optional.of(passing);
        };
    }

    /** How long a caller is kept waiting; JavaScript clients give up after 300 s. */
    public Duration patience() {
        return wait;
    }
}
