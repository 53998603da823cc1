package dev.holdfast.expiry;

import dev.holdfast.event.EventLog;
import dev.holdfast.job.Orders;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets events go that are older than is kept, a piece at a time. */
@Named
@Dependent
public class EventBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Inject EventLog log;
    @Inject Orders orders;

    @Override
    public String process() {
        log.last(); // where nobody reads, what is pending gets its numbers here
        int removed = 0;
        int some;
        do {
            some = log.purge();
            removed += some;
        } while (some > 0 && !stopped);
        orders.say("removed " + removed);
        return "COMPLETED";
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
