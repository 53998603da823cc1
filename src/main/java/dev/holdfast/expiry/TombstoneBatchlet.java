package dev.holdfast.expiry;

import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.snapshot.Removals;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Forgets what was removed long ago. */
@Named
@Dependent
public class TombstoneBatchlet extends AbstractBatchlet {

    @Inject Orders orders;
    @Inject Removals removals;

    @Override
    public String process() {
        Order order = orders.current();
        orders.say(
                order.isDry()
                        ? "would forget " + removals.forgettable(order.olderThan())
                        : "forgot " + removals.forget(order.olderThan()));
        return "COMPLETED";
    }
}
