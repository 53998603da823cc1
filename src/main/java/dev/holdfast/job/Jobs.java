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
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.jboss.logging.Logger;

/** Starts, stops and restarts jobs, one decision after the other over all nodes. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Jobs {

    private static final Logger LOG = Logger.getLogger(Jobs.class);

    private static final String ENDED = "its server ended; ";

    /** The one that died cannot say so itself. */
    private static final Properties ORPHANED = new Properties();

    static {
        ORPHANED.setProperty("jberet.restart.mode", "force");
    }

    @Inject Audit audit;
    @Inject Due due;
    @Inject Executions executions;

    /**
     * A timer has rung: starts a job that would find something, unless it is under way or was
     * started by the same ring on another node.
     *
     * @param next when it rings next, which tells one ring from another
     */
    public void startIfDue(Job job, Instant next) {
        executions.lock(job);
        if (executions.running(job).isEmpty() && due.is(job) && executions.hear(job, next)) {
            operator().start(job.id(), new Properties());
        }
    }

    /**
     * An execution begins, whoever started it: from now on it is this node's.
     *
     * @return the one that does the same already and that it must not come beside; then it is
     *     nobody's
     */
    public Optional<Long> begin(Job job, long execution) {
        executions.lock(job);
        Optional<Long> other =
                job.isStartableTwice()
                        ? Optional.empty()
                        : executions.begun(job).stream().findFirst();
        if (other.isEmpty()) {
            executions.own(execution, job.id());
        }
        return other;
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
            if (orphaned) {
                executions.giveUp(execution, ENDED + "execution " + next + " goes on");
            }
            audit.done(deed(Action.JOB_RESTART, job, execution).with("as", next));
            return next;
        } catch (JobRestartException | JobExecutionNotMostRecentException e) {
            throw new Problem(
                            Reason.EXECUTION_NOT_RESTARTABLE,
                            "Execution %d of %s was restarted before, or cannot be. Restart the newest one of them, or start the job anew."
                                    .formatted(execution, job))
                    .with("executionStatus", word(found.status()));
        }
    }

    /** Ends what this node still runs although others have taken it for dead and gone on. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void stopTakenOver() {
        for (long each : executions.takenOver()) {
            try {
                operator().stop(each);
                LOG.warnf("Execution %d ends here: another node goes on with it", each);
            } catch (JobExecutionNotRunningException over) {
                LOG.debugf("Execution %d has ended by itself", each);
            }
        }
    }

    /**
     * Goes on with what was left in the middle, by a node that is gone or an earlier incarnation of
     * this one, unless somebody does the same by now. Of all nodes one does.
     */
    public void resume(Executions.Orphan left) {
        Job.of(left.job())
                .ifPresentOrElse(
                        job -> resume(job, left.id()),
                        () -> giveUp(left.id(), "this build has no such job"));
    }

    private void resume(Job job, long execution) {
        executions.lock(job);
        if (!executions.isOrphan(execution)) {
            return;
        }
        List<Long> running = job.isStartableTwice() ? List.of() : executions.running(job);
        if (!running.isEmpty()) {
            giveUp(execution, "execution " + running.get(0) + " does the same");
            return;
        }
        try {
            long next = operator().restart(execution, ORPHANED);
            executions.giveUp(execution, ENDED + "execution " + next + " goes on");
            LOG.infof("Execution %d was left in the middle; %d goes on with it", execution, next);
        } catch (JobRestartException | JobExecutionNotMostRecentException e) {
            LOG.debugf(e, "Execution %d", execution);
            giveUp(execution, "nothing goes on with it: " + e.getMessage());
        }
    }

    private void giveUp(long execution, String why) {
        executions.giveUp(execution, ENDED + why);
        LOG.warnf("Execution %d was left in the middle; %s", execution, why);
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
            throw job.underWay(running.get(0));
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
