package dev.holdfast.expiry;

import dev.holdfast.job.Orders;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Writes the amendments that were not written at once; what a crash came before, for one. */
@Named
@Dependent
public class AmendmentBatchlet extends HeedfulBatchlet {

    @Inject Amender amender;
    @Inject Orders orders;

    @Override
    public String process() {
        amender.follow(orders.current().most(), this::isStopped);
        return "COMPLETED";
    }
}
