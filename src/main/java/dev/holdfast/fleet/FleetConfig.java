package dev.holdfast.fleet;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of this room, {@code holdfast.fleet.*}; the same on every node. */
@ApplicationScoped
public class FleetConfig {

    /** A worker that has not renewed for this long is unreachable. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration SHORTEST = Duration.ofSeconds(20);
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    @Inject
    @ConfigProperty(name = "holdfast.fleet.lost", defaultValue = "PT5M")
    Duration lost;

    @Inject
    @ConfigProperty(name = "holdfast.broker.host")
    Optional<String> broker;

    @Inject
    @ConfigProperty(name = "holdfast.fleet.farewell")
    Optional<Duration> farewell;

    @PostConstruct
    void check() {
        if (lost.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "holdfast.fleet.lost is at least " + SHORTEST + ", not " + lost);
        }
    }

    /** Whether this node is the whole installation: it has its broker for itself. */
    public boolean isAlone() {
        return broker.isEmpty();
    }

    /**
     * How long a stop waits for clients to turn to other nodes; no time where there are none. The
     * balancer's way of asking whether a node is ready has to notice within it.
     */
    public Duration farewell() {
        return farewell.orElse(isAlone() ? Duration.ZERO : FAREWELL);
    }

    /** How long a worker's lease may be over before what it ran is given up. */
    Duration lost() {
        return lost;
    }

    /**
     * How long after its last renewal a worker may let sandboxes run. It ends them while four
     * fifths of the time are over after which others give it up, counted from before its last
     * renewal was sent: the rest is for ending them, and for clocks that do not go alike.
     */
    public Duration tenure() {
        return lost.multipliedBy(4).dividedBy(5);
    }
}
