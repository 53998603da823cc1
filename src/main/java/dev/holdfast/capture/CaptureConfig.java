package dev.holdfast.capture;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
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
    @ConfigProperty(name = "holdfast.capture.wait", defaultValue = "PT280S")
    Duration wait;

    /** A capture that is not saved by then has failed. */
    public Duration deadline() {
        return deadline;
    }

    /** How long a snapshot lives from the moment it is saved. */
    public Duration retention() {
        return retention;
    }

    /** How long a caller is kept waiting; JavaScript clients give up after 300 s. */
    public Duration patience() {
        return wait;
    }
}
