package dev.holdfast.job;

import dev.holdfast.problem.Problem;
import jakarta.batch.api.listener.AbstractJobListener;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/**
 * Every job begins with this: the execution is this node's, and a parameter that is wrong ends it
 * before it has done anything, whoever started it.
 */
@Named
@Dependent
public class RunListener extends AbstractJobListener {

    @Inject Executions executions;
    @Inject JobContext job;
    @Inject Orders orders;

    @Override
    public void beforeJob() {
        executions.own(job.getExecutionId());
        try {
            orders.current();
        } catch (Problem wrong) {
            orders.say(wrong.getMessage());
            throw wrong;
        }
    }
}
