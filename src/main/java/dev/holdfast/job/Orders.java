package dev.holdfast.job;

import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/** What the execution that is running was told, for its artifacts. */
@Dependent
public class Orders {

    @Inject JobContext execution;

    public Order current() {
        return Order.of(
                Job.of(execution.getJobName()).orElseThrow(),
                BatchRuntime.getJobOperator().getParameters(execution.getExecutionId()));
    }

    /** Says at the end of the job what it did. */
    public void say(String outcome) {
        execution.setExitStatus(Outcome.cut(outcome));
    }
}
