package dev.holdfast.expiry;

import dev.holdfast.job.Orders;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Writes the amendments that were not written at once; what a crash came before, for one. */
@Named
@Dependent
public class AmendmentBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Inject Amender amender;
    @Inject Orders orders;

    @Override
    public String process() {
        amender.follow(orders.current().most(), () -> stopped);
        return "COMPLETED";
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
