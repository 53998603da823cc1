package dev.holdfast.job;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Forgets executions that ended long ago. */
@Named
@Dependent
public class ExecutionBatchlet extends AbstractBatchlet {

    @Inject Executions executions;
    @Inject Orders orders;

    @Override
    public String process() {
        Order order = orders.current();
        long count = executions.purge(order.olderThan(), order.isDry());
        orders.say((order.isDry() ? "would forget " : "forgot ") + count);
        return "COMPLETED";
    }
}
