package dev.holdfast.job;

import dev.holdfast.event.EventType;
import dev.holdfast.problem.Problem;
import jakarta.batch.api.listener.AbstractJobListener;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.Optional;

/**
 * Every job begins with this, whoever started it: the execution is this node's; it does not come
 * beside another where that must not be; and a parameter that is wrong ends it before it has done
 * anything.
 */
@Named
@Dependent
public class RunListener extends AbstractJobListener {

    /** One that has ended says so to whoever waits for it a little before it is written down. */
    private static final int LOOKS = 10;

    private static final long PAUSE = 100;

    @Inject JobContext context;
    @Inject Executions executions;
    @Inject Jobs jobs;
    @Inject Orders orders;

    @Override
    public void beforeJob() throws InterruptedException {
        try {
            begin(Job.of(context.getJobName()).orElseThrow());
            orders.current();
        } catch (Problem wrong) {
            orders.say(wrong.getMessage());
            throw wrong;
        }
    }

    private void begin(Job job) throws InterruptedException {
        Optional<Long> other = jobs.begin(job, context.getExecutionId());
        for (int looks = 1; other.isPresent() && looks < LOOKS; looks++) {
            Thread.sleep(PAUSE);
            other = jobs.begin(job, context.getExecutionId());
        }
        if (other.isPresent()) {
            throw job.underWay(other.get());
        }
    }

    /** The repository still says that it runs, unless something has ended it early. */
    @Override
    public void afterJob() {
        executions.ended(
                context.getExecutionId(),
                context.getJobName(),
                switch (context.getBatchStatus()) {
                    case FAILED, ABANDONED -> EventType.JOB_FAILED;
                    case STOPPING, STOPPED -> EventType.JOB_STOPPED;
                    default -> EventType.JOB_COMPLETED;
                },
                context.getExitStatus());
    }
}
