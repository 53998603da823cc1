package dev.holdfast.expiry;

import dev.holdfast.audit.AuditEntries;
import dev.holdfast.job.Orders;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets entries of the audit go that are older than is kept, a piece at a time. */
@Named
@Dependent
public class AuditBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Inject AuditEntries entries;
    @Inject Orders orders;

    @Override
    public String process() {
        int removed = 0;
        int some;
        do {
            some = entries.purge();
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
