package dev.holdfast.autosave;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of capture policies, {@code holdfast.autosave.*}; durations in ISO 8601. */
@ApplicationScoped
public class AutosaveConfig {

    @Inject
    @ConfigProperty(name = "holdfast.autosave.shortest", defaultValue = "PT1M")
    Duration shortest;

    @Inject
    @ConfigProperty(name = "holdfast.autosave.at-once", defaultValue = "2")
    int atOnce;

    @Inject
    @ConfigProperty(name = "holdfast.autosave.idle-percent", defaultValue = "3")
    int idlePercent;

    @Inject
    @ConfigProperty(name = "holdfast.autosave.alarm-pause", defaultValue = "PT5M")
    Duration alarmPause;

    @Inject
    @ConfigProperty(name = "holdfast.autosave.last", defaultValue = "PT4M")
    Duration last;

    /** No interval is shorter. */
    public Duration shortest() {
        return shortest;
    }

    /** How many captures at intervals a worker does at the same time. */
    int atOnce() {
        return atOnce;
    }

    /** A sandbox that uses no more of one processor does nothing. */
    int idlePercent() {
        return idlePercent;
    }

    /** For so long after a capture for want of memory there is no other one for that. */
    Duration alarmPause() {
        return alarmPause;
    }

    /** How long the last capture of a sandbox may take that ends with it. */
    public Duration last() {
        return last;
    }
}
