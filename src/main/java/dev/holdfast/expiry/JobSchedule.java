package dev.holdfast.expiry;

import dev.holdfast.fleet.Workers;
import dev.holdfast.quota.Drifts;
import dev.holdfast.snapshot.Changes;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.template.Templates;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.NoSuchJobException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.ejb.DependsOn;
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
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.Config;

/**
 * Starts the jobs by persistent timers. A calendar is a cron-like line in configuration, {@code
 * holdfast.expiry.<job>} = {@code second minute hour}.
 */
@Singleton
@Startup
@DependsOn("Migrations")
@TransactionManagement(TransactionManagementType.BEAN)
public class JobSchedule {

    private static final Map<String, String> CALENDARS =
            Map.ofEntries(
                    Map.entry("reap-lost-workers", "*/30 * *"),
                    Map.entry("reap-stalled-captures", "*/30 * *"),
                    Map.entry("expire-snapshots", "10 * *"),
                    Map.entry("warn-of-expiry", "5 * *"),
                    Map.entry("write-amendments", "25 * *"),
                    Map.entry("clean-up-objects", "*/15 * *"),
                    Map.entry("reconcile-usage", "0 57 *"),
                    Map.entry("sweep-orphans", "0 17 *"),
                    Map.entry("verify-parts", "0 27 *"),
                    Map.entry("purge-blobs", "0 47 *"),
                    Map.entry("purge-audit", "0 12 *"),
                    Map.entry("purge-metrics", "0 37 *"),
                    Map.entry("purge-templates", "20 * *"),
                    Map.entry("purge-tombstones", "0 7 *"));

    /** As the job has it: it is started when it would find something. */
    private static final Duration UNREAD = Duration.ofDays(7);

    @Inject Changes changes;
    @Inject Config config;
    @Inject Drifts drifts;
    @Inject Removals removals;
    @Inject Scrubs scrubs;
    @Inject Retentions retentions;
    @Inject Snapshots snapshots;
    @Inject Templates templates;
    @Inject Workers workers;
    @Resource TimerService timers;

    private final Map<String, BooleanSupplier> due =
            Map.ofEntries(
                    Map.entry("reap-lost-workers", () -> !workers.lost().isEmpty()),
                    Map.entry("reap-stalled-captures", this::hasStalledCaptures),
                    Map.entry("expire-snapshots", () -> !removals.expired(1).isEmpty()),
                    Map.entry("warn-of-expiry", () -> !retentions.toWarnOf(1).isEmpty()),
                    Map.entry(
                            "write-amendments", () -> !changes.due(Optional.empty(), 1).isEmpty()),
                    Map.entry("clean-up-objects", () -> !removals.cleanupsDue(1).isEmpty()),
                    Map.entry(
                            "reconcile-usage", () -> !drifts.found(Optional.empty(), 1).isEmpty()),
                    Map.entry("sweep-orphans", () -> true),
                    Map.entry(
                            "verify-parts", () -> !scrubs.due(UNREAD, 1, Long.MAX_VALUE).isEmpty()),
                    Map.entry("purge-blobs", () -> true),
                    Map.entry("purge-audit", () -> true),
                    Map.entry("purge-metrics", () -> true),
                    Map.entry("purge-templates", this::hasSpentTemplates),
                    Map.entry("purge-tombstones", () -> true));

    /** The calendars may have changed since the last start, so the timers are made anew. */
    @PostConstruct
    void schedule() {
        timers.getTimers().forEach(Timer::cancel);
        CALENDARS.forEach(
                (job, preset) -> {
                    String line =
                            config.getOptionalValue("holdfast.expiry." + job, String.class)
                                    .orElse(preset);
                    timers.createCalendarTimer(calendar(job, line), new TimerConfig(job, true));
                });
    }

    @Timeout
    void start(Timer timer) {
        String job = (String) timer.getInfo();
        if (due.get(job).getAsBoolean() && !isRunning(job)) {
            BatchRuntime.getJobOperator().start(job, new Properties());
        }
    }

    private boolean hasSpentTemplates() {
        return !templates.overdue().isEmpty() || !templates.unneededImages().isEmpty();
    }

    private boolean hasStalledCaptures() {
        return !snapshots.stalled().isEmpty() || !snapshots.abandoned().isEmpty();
    }

    private static boolean isRunning(String job) {
        JobOperator jobs = BatchRuntime.getJobOperator();
        try {
            return !jobs.getRunningExecutions(job).isEmpty();
        } catch (NoSuchJobException e) {
            return false;
        }
    }

    private static ScheduleExpression calendar(String job, String line) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length != 3) {
            throw new IllegalArgumentException(
                    "holdfast.expiry." + job + " is three fields: second minute hour");
        }
        return new ScheduleExpression().second(fields[0]).minute(fields[1]).hour(fields[2]);
    }
}
