package dev.holdfast.worker;

import dev.holdfast.sandbox.Sandboxes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/** What becomes of sandboxes whose time is over. */
@ApplicationScoped
class Overdues {

    private static final Logger LOG = Logger.getLogger(Overdues.class);

    @Inject Event<Overdue> overdue;
    @Inject Sandboxes sandboxes;
    @Inject Event<LastWish> wishes;

    /** Ends one, unless somebody does that otherwise or it is to be paused. */
    void end(Overdue due) {
        if (!isSeenTo(due) && !isEnded(due)) {
            overdue.fire(due);
        }
    }

    /** A wish that cannot be heard holds up no end. */
    private boolean isSeenTo(Overdue due) {
        LastWish wish = new LastWish(due);
        try {
            wishes.fire(wish);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Sandbox %s ends without its last wish", due.sandbox());
        }
        return wish.isGranted();
    }

    private boolean isEnded(Overdue due) {
        return due.idle()
                .map(allowed -> sandboxes.endIfIdle(due.sandbox(), allowed))
                .orElseGet(() -> sandboxes.endIfDue(due.sandbox()));
    }
}
