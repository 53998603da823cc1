package dev.holdfast.worker;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** How many machines show snapshots, and for how long, {@code holdfast.peek.*}. */
@ApplicationScoped
class PeekConfig {

    @Inject
    @ConfigProperty(name = "holdfast.peek.most", defaultValue = "4")
    int most;

    @Inject
    @ConfigProperty(name = "holdfast.peek.project", defaultValue = "3")
    int project;

    @Inject
    @ConfigProperty(name = "holdfast.peek.linger", defaultValue = "PT60S")
    Duration linger;

    @Inject
    @ConfigProperty(name = "holdfast.peek.longest", defaultValue = "PT15M")
    Duration longest;

    @Inject
    @ConfigProperty(name = "holdfast.peek.wait", defaultValue = "PT20S")
    Duration wait;

    /** How many on this worker; a comparison needs two at once. */
    int most() {
        return Math.max(2, most);
    }

    /** How many of one project. */
    int project() {
        return Math.max(2, project);
    }

    /** How long one stays after its last use. */
    Duration linger() {
        return linger;
    }

    /** How long one stays at most, whoever uses it. */
    Duration longest() {
        return longest;
    }

    /** How long one waits until there is room for it. */
    Duration patience() {
        return wait;
    }
}
