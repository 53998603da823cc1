package dev.holdfast.expiry;

import dev.holdfast.audit.Chains;
import dev.holdfast.audit.Purge;
import dev.holdfast.job.Orders;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.UUID;

/** Lets entries of the audit go that are older than is kept, chain by chain, a piece at a time. */
@Named
@Dependent
public class AuditBatchlet extends HeedfulBatchlet {

    private static final int PAGE = 100;

    @Inject Chains chains;
    @Inject Orders orders;
    @Inject Purge purge;

    private int removed;

    @Override
    public String process() {
        each(last -> chains.due(last, PAGE), this::purge);
        orders.say("removed " + removed);
        return "COMPLETED";
    }

    private void purge(UUID id) {
        removed += untilNone(() -> purge.purge(id));
    }
}
