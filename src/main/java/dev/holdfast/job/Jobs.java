package dev.holdfast.job;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.batch.operations.JobExecutionNotMostRecentException;
import jakarta.batch.operations.JobExecutionNotRunningException;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.JobRestartException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.BatchStatus;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jboss.logging.Logger;

/** Starts, stops and restarts jobs, one decision after the other over all nodes. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Jobs {

    private static final Logger LOG = Logger.getLogger(Jobs.class);

    /** The one that died cannot say so itself. */
    private static final Properties ORPHANED = new Properties();

    static {
        ORPHANED.setProperty("jberet.restart.mode", "force");
    }

    @Inject Audit audit;
    @Inject Due due;
    @Inject Executions executions;

    /** Starts a job that would find something, unless it is under way. */
    public void startIfDue(Job job) {
        executions.lock(job);
        if (executions.running(job).isEmpty() && due.is(job)) {
            operator().start(job.id(), new Properties());
        }
    }

    /**
     * @throws Problem {@code job_running}
     */
    public long start(Order order) {
        Job job = order.job();
        executions.lock(job);
        if (!job.isStartableTwice()) {
            requireIdle(job);
        }
        long execution = operator().start(job.id(), order.properties());
        audit.done(deed(Action.JOB_START, job, execution).with("parameters", order.given()));
        return execution;
    }

    /**
     * Asks an execution to end with the chunk it is at.
     *
     * @throws Problem {@code execution_not_found}, {@code execution_not_running}
     */
    public void stop(Job job, long execution) {
        Execution found = get(job, execution);
        try {
            operator().stop(execution);
            audit.done(deed(Action.JOB_STOP, job, execution));
        } catch (JobExecutionNotRunningException e) {
            throw new Problem(
                            Reason.EXECUTION_NOT_RUNNING,
                            "Execution %d of %s is %s. Only one that is under way can be stopped."
                                    .formatted(execution, job, word(found.status())))
                    .with("executionStatus", word(found.status()));
        }
    }

    /**
     * Goes on with an execution that failed or was stopped, after its last chunk that is done.
     *
     * @throws Problem {@code execution_not_found}, {@code execution_not_restartable}, {@code
     *     job_running}
     */
    public long restart(Job job, long execution) {
        executions.lock(job);
        Execution found = get(job, execution);
        boolean restartable =
                found.status() == BatchStatus.FAILED || found.status() == BatchStatus.STOPPED;
        List<Long> running = executions.running(job);
        boolean orphaned = found.isUnderWay() && !running.contains(execution);
        if (!restartable && !orphaned) {
            throw new Problem(
                            Reason.EXECUTION_NOT_RESTARTABLE,
                            "Execution %d of %s is %s. One that failed or was stopped can be restarted; start the job anew instead."
                                    .formatted(execution, job, word(found.status())))
                    .with("executionStatus", word(found.status()));
        }
        if (!job.isStartableTwice()) {
            requireIdle(job);
        }
        try {
            long next = operator().restart(execution, orphaned ? ORPHANED : new Properties());
            audit.done(deed(Action.JOB_RESTART, job, execution).with("as", next));
            return next;
        } catch (JobExecutionNotMostRecentException e) {
            throw new Problem(
                            Reason.EXECUTION_NOT_RESTARTABLE,
                            "Execution %d of %s was restarted before. Restart the newest one of them."
                                    .formatted(execution, job))
                    .with("executionStatus", word(found.status()));
        }
    }

    /** Goes on with what an earlier incarnation of this node left in the middle. */
    public void resume(long execution) {
        try {
            long next = operator().restart(execution, ORPHANED);
            executions.giveUp(execution, "its server ended; execution " + next + " goes on");
            LOG.infof("Execution %d was left in the middle; %d goes on with it", execution, next);
        } catch (JobRestartException | JobExecutionNotMostRecentException e) {
            executions.giveUp(execution, "its server ended; nothing goes on with it");
            LOG.warnf(
                    e,
                    "Nothing goes on with execution %d, which was left in the middle",
                    execution);
        }
    }

    /**
     * @throws Problem {@code execution_not_found}
     */
    public Execution get(Job job, long execution) {
        return executions
                .find(job, execution)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.EXECUTION_NOT_FOUND,
                                        "The job %s has no execution %d. Ended ones are forgotten after some time."
                                                .formatted(job, execution)));
    }

    private void requireIdle(Job job) {
        List<Long> running = executions.running(job);
        if (!running.isEmpty()) {
            throw new Problem(
                            Reason.JOB_RUNNING,
                            "The job %s is under way as execution %d. Wait for its end, or stop it."
                                    .formatted(job, running.get(0)))
                    .with("execution", running.get(0));
        }
    }

    private static Deed deed(Action action, Job job, long execution) {
        return Deed.of(action, new Subject("job", job.id())).with("execution", execution);
    }

    private static JobOperator operator() {
        return BatchRuntime.getJobOperator();
    }

    private static String word(BatchStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
