package dev.holdfast.event;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code holdfast.event.*}. */
@Dependent
public class EventConfig {

    /** How long events are kept. */
    @Inject
    @ConfigProperty(name = "holdfast.event.retention", defaultValue = "P30D")
    Duration retention;

    /** How many event streams a project may have open on one node. */
    @Inject
    @ConfigProperty(name = "holdfast.event.streams", defaultValue = "20")
    int streams;

    /** How long an event stream is silent before it gives a sign of life. */
    @Inject
    @ConfigProperty(name = "holdfast.event.heartbeat", defaultValue = "PT10S")
    Duration heartbeat;

    /** How long a page of events may take to leave before its reader is cut off. */
    @Inject
    @ConfigProperty(name = "holdfast.event.patience", defaultValue = "PT30S")
    Duration patience;

    public int streams() {
        return streams;
    }

    public Duration heartbeat() {
        return heartbeat;
    }

    public Duration patience() {
        return patience;
    }
}
