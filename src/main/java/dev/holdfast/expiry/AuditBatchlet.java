package dev.holdfast.expiry;

import dev.holdfast.audit.Chains;
import dev.holdfast.audit.Purge;
import dev.holdfast.job.Orders;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Lets entries of the audit go that are older than is kept, chain by chain, a piece at a time. */
@Named
@Dependent
public class AuditBatchlet extends HeedfulBatchlet {

    private static final int PAGE = 100;

    @Inject Chains chains;
    @Inject Orders orders;
    @Inject Purge purge;

    @Override
    public String process() {
        int removed = 0;
        List<UUID> due = chains.due(Optional.empty(), PAGE);
        while (!due.isEmpty() && !isStopped()) {
            removed += due.stream().takeWhile(each -> !isStopped()).mapToInt(this::purge).sum();
            due = chains.due(Optional.of(due.get(due.size() - 1)), PAGE);
        }
        orders.say("removed " + removed);
        return "COMPLETED";
    }

    private int purge(UUID id) {
        return untilNone(() -> purge.purge(id));
    }
}
