package dev.holdfast.expiry;

import dev.holdfast.event.EventLog;
import dev.holdfast.job.Orders;
import dev.holdfast.webhook.Deliveries;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets events and what became of their deliveries go when they are older than is kept. */
@Named
@Dependent
public class EventBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Inject Deliveries deliveries;
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
        do {
            some = deliveries.purge();
        } while (some > 0 && !stopped);
        orders.say("removed " + removed);
        return "COMPLETED";
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
