package dev.holdfast.job;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.role.Roles;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import jakarta.ejb.NoMoreTimeoutsException;
import jakarta.ejb.NoSuchObjectLocalException;
import jakarta.ejb.ScheduleExpression;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.Timer;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Starts the jobs by persistent timers. A calendar is a cron-like line in configuration, {@code
 * holdfast.expiry.<job>} = {@code second minute hour}, or {@code off}.
 */
@Singleton
@Startup
@DependsOn({"Migrations", "JobLease"})
@Lock(LockType.READ)
@TransactionManagement(TransactionManagementType.BEAN)
public class JobSchedule {

    private static final Logger LOG = Logger.getLogger(JobSchedule.class);

    /** The job operator comes a little after the beans. */
    private static final long LOOK_AFTER = 1_000;

    @Inject Config config;
    @Inject Executions executions;
    @Inject Jobs jobs;
    @Inject Roles roles;
    @Inject DatabaseTime time;
    @Resource TimerService timers;

    @Inject
    @ConfigProperty(name = "holdfast.job.look", defaultValue = "PT60S")
    Duration look;

    /**
     * The calendars may have changed since the last start, so the timers are made anew. A node that
     * only works leaves them alone; its server runs none either.
     */
    @PostConstruct
    void schedule() {
        if (!roles.control()) {
            return;
        }
        timers.getTimers().forEach(Timer::cancel);
        for (Job job : Job.values()) {
            calendar(job)
                    .ifPresent(
                            line ->
                                    timers.createCalendarTimer(
                                            expression(job, line),
                                            new TimerConfig(job.id(), true)));
        }
        timers.createIntervalTimer(LOOK_AFTER, look.toMillis(), new TimerConfig(null, false));
    }

    @Timeout
    void ring(Timer timer) {
        if (timer.getInfo() instanceof String id) {
            Job.of(id)
                    .ifPresent(job -> jobs.startIfDue(job, next(timer, job).orElseGet(time::now)));
        } else {
            resume();
        }
    }

    /** The calendar of a job; empty if only a person starts it. */
    public Optional<String> calendar(Job job) {
        return config.getOptionalValue("holdfast.expiry." + job.id(), String.class)
                .map(String::strip)
                .or(() -> Optional.of(job.calendar()))
                .filter(line -> !line.equals(Job.MANUAL));
    }

    /** When the timer of a job rings next. */
    public Optional<Instant> next(Job job) {
        return timers.getTimers().stream()
                .flatMap(timer -> next(timer, job).stream())
                .min(Instant::compareTo);
    }

    /** What was left in the middle is looked for after the start, and from time to time. */
    private void resume() {
        for (Executions.Orphan each : executions.orphans()) {
            try {
                jobs.resume(each);
            } catch (RuntimeException e) { // the others are looked at all the same
                LOG.warnf(e, "Execution %d is looked at again later", each.id());
            }
        }
        for (long each : executions.stillborn()) {
            LOG.warnf("Execution %d never began", each);
            executions.giveUp(each, "it never began: its server ended");
        }
    }

    /** One that is cancelled by another node meanwhile rings no more. */
    private static Optional<Instant> next(Timer timer, Job job) {
        try {
            return job.id().equals(timer.getInfo())
                    ? Optional.of(timer.getNextTimeout().toInstant())
                    : Optional.empty();
        } catch (NoSuchObjectLocalException | NoMoreTimeoutsException e) {
            return Optional.empty();
        }
    }

    private static ScheduleExpression expression(Job job, String line) {
        String[] fields = line.split("\\s+");
        if (fields.length != 3) {
            throw new IllegalArgumentException(
                    "holdfast.expiry." + job + " is \"off\" or three fields: second minute hour");
        }
        return new ScheduleExpression().second(fields[0]).minute(fields[1]).hour(fields[2]);
    }
}
