package dev.holdfast.worker;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/** Asks, before a sandbox whose time is over is ended, whether somebody does that otherwise. */
@ApplicationScoped
class LastWishes {

    private static final Logger LOG = Logger.getLogger(LastWishes.class);

    @Inject Event<LastWish> wishes;

    /** True when somebody sees to its end. A wish that cannot be heard holds up no end. */
    boolean take(Overdue due) {
        LastWish wish = new LastWish(due);
        try {
            wishes.fire(wish);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Sandbox %s ends without its last wish", due.sandbox());
        }
        return wish.isGranted();
    }
}
