package dev.holdfast.expiry;

import dev.holdfast.audit.Chains;
import dev.holdfast.job.Orders;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets entries of the audit go that are older than is kept, a piece at a time. */
@Named
@Dependent
public class AuditBatchlet extends HeedfulBatchlet {

    @Inject Chains chains;
    @Inject Orders orders;

    @Override
    public String process() {
        int removed = untilNone(chains::purge);
        orders.say("removed " + removed);
        return "COMPLETED";
    }
}
