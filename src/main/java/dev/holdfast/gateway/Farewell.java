package dev.holdfast.gateway;

import dev.holdfast.fleet.FleetConfig;
import dev.holdfast.fleet.ServerStates;
import dev.holdfast.fleet.ServerStates.Turn;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import javax.management.Notification;

/**
 * The last moments of a node that others stand in for. It is not ready any more, so that nobody is
 * sent here, and each answer ends its connection, so that whoever has one asks elsewhere next. The
 * server stops after that, and hardly anybody is there whom it has to refuse.
 */
@ApplicationScoped
class Farewell {

    @Inject FleetConfig config;
    @Inject ServerStates states;

    private volatile boolean begun;

    void watch(@Observes @Initialized(ApplicationScoped.class) Object started) {
        if (!config.farewell().isZero()) {
            states.tell(Turn.FAREWELL, this::hear);
        }
    }

    void forget(@Observes @BeforeDestroyed(ApplicationScoped.class) Object stopping) {
        if (!config.farewell().isZero()) {
            states.forget(Turn.FAREWELL);
        }
    }

    /** Whether this node is about to stop: connections end with their answers. */
    boolean hasBegun() {
        return begun;
    }

    void hear(Notification told) {
        if (ServerStates.isStop(told) && !begun) {
            begun = true;
            pass();
        } else if (ServerStates.isBack(told)) {
            begun = false;
        }
    }

    private void pass() {
        try {
            Thread.sleep(config.farewell().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
