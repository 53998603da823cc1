package dev.holdfast.expiry;

import dev.holdfast.event.EventLog;
import dev.holdfast.job.Orders;
import dev.holdfast.webhook.Deliveries;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets events and what became of their deliveries go when they are older than is kept. */
@Named
@Dependent
public class EventBatchlet extends HeedfulBatchlet {

    @Inject Deliveries deliveries;
    @Inject EventLog log;
    @Inject Orders orders;

    @Override
    public String process() {
        log.last(); // where nobody reads, what is pending gets its numbers here
        int removed = untilNone(log::purge);
        untilNone(deliveries::purge);
        orders.say("removed " + removed);
        return "COMPLETED";
    }
}
