package dev.holdfast.operator;

import dev.holdfast.fleet.WorkerState;
import dev.holdfast.role.Roles;
import dev.holdfast.sandbox.SandboxState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Samples the installation in a steady beat and shows the last sample. */
@Singleton
@Startup
@DependsOn("Migrations")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class Gauges {

    private static final Logger LOG = Logger.getLogger(Gauges.class);

    private static final List<String> QUEUES =
            List.of("holdfast.capture", "holdfast.runtime", "DLQ", "ExpiryQueue");

    private static final String RUNS = "job/";

    @Inject Clock clock;
    @Inject MeterRegistry registry;
    @Inject Roles roles;
    @Inject Samples samples;
    @Resource ManagedScheduledExecutorService scheduler;

    @Inject
    @ConfigProperty(name = "holdfast.operator.sample-period", defaultValue = "PT15S")
    Duration period;

    private final Set<String> shown = new HashSet<>();
    private Reading database;
    private Reading queues;
    private final Set<String> runs = new HashSet<>();
    private ScheduledFuture<?> beat;

    @PostConstruct
    void start() {
        if (!roles.control()) {
            return;
        }
        database = new Reading("The database", clock, period, samples::ofDatabase);
        queues = new Reading("The broker", clock, period, this::queues);
        showDatabase();
        showQueues();
        beat =
                scheduler.scheduleWithFixedDelay(
                        this::sample, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void stop() {
        if (beat != null) {
            beat.cancel(false);
        }
        shown.forEach(name -> registry.find(name).meters().forEach(registry::remove));
    }

    private void sample() {
        database.take().ifPresent(this::missed);
        showRuns();
        queues.take().ifPresent(this::missed);
    }

    /** What ended lately; no list says beforehand which jobs there are. */
    private void showRuns() {
        for (String run : database.last().below(RUNS)) {
            if (runs.add(run)) {
                int slash = run.lastIndexOf('/');
                show(
                        "holdfast.job.runs",
                        database,
                        RUNS + run,
                        "job",
                        run.substring(0, slash),
                        "outcome",
                        run.substring(slash + 1));
            }
        }
    }

    private void missed(String why) {
        LOG.warnf("Gauges show no number: %s", why);
    }

    private Sample queues() {
        try {
            return samples.ofQueues(QUEUES);
        } catch (JMSException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private void showDatabase() {
        for (String state : List.of("saved", "paused", "uploading", "cleanup_pending")) {
            show(
                    "holdfast.snapshot.stored.bytes",
                    database,
                    "snapshot.bytes/" + state,
                    "state",
                    state);
        }
        for (String state : List.of("saved", "uploading", "cleanup_pending")) {
            show("holdfast.snapshot.rows", database, "snapshot.count/" + state, "state", state);
        }
        Stream.of(SandboxState.values())
                .filter(state -> state != SandboxState.ENDED)
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .forEach(
                        state ->
                                show(
                                        "holdfast.sandbox.rows",
                                        database,
                                        "sandbox/" + state,
                                        "state",
                                        state));
        for (WorkerState state : WorkerState.values()) {
            show(
                    "holdfast.fleet.workers",
                    database,
                    "worker/" + state.word(),
                    "state",
                    state.word());
        }
        show("holdfast.audit.pending", database, "audit.pending");
        show("holdfast.audit.broken", database, "audit.broken");
        show("holdfast.capture.unclaimed", database, "capture.unclaimed");
        show("holdfast.capture.unclaimed.age.seconds", database, "capture.age");
    }

    private void showQueues() {
        for (String queue : QUEUES) {
            show("holdfast.operator.queue.depth", queues, "queue.depth/" + queue, "queue", queue);
            show(
                    "holdfast.operator.queue.age.seconds",
                    queues,
                    "queue.age/" + queue,
                    "queue",
                    queue);
        }
    }

    /** The registry keeps no reading alive; this bean does. */
    private void show(String name, Reading reading, String number, String... labels) {
        shown.add(name);
        registry.gauge(name, Tags.of(labels), reading, source -> source.show(number));
    }
}
