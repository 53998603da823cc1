package dev.holdfast.operator;

import dev.holdfast.sandbox.SandboxState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    @Inject Clock clock;
    @Inject MeterRegistry registry;
    @Inject Samples samples;
    @Resource ManagedScheduledExecutorService scheduler;

    @Inject
    @ConfigProperty(name = "holdfast.operator.sample-period", defaultValue = "PT15S")
    Duration period;

    private final List<Meter> shown = new ArrayList<>();
    private Reading database;
    private Reading queues;
    private ScheduledFuture<?> beat;

    @PostConstruct
    void start() {
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
        beat.cancel(false);
        shown.forEach(registry::remove);
    }

    private void sample() {
        database.take().ifPresent(this::missed);
        queues.take().ifPresent(this::missed);
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
                    "holdfast.snapshot.stored",
                    "bytes",
                    database,
                    "snapshot.bytes/" + state,
                    "state",
                    state);
        }
        for (String state : List.of("saved", "uploading", "cleanup_pending")) {
            show(
                    "holdfast.snapshot.rows",
                    null,
                    database,
                    "snapshot.count/" + state,
                    "state",
                    state);
        }
        Stream.of(SandboxState.values())
                .filter(state -> state != SandboxState.ENDED)
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .forEach(
                        state ->
                                show(
                                        "holdfast.sandbox.rows",
                                        null,
                                        database,
                                        "sandbox/" + state,
                                        "state",
                                        state));
        for (String state : List.of("reachable", "unreachable")) {
            show("holdfast.fleet.workers", null, database, "worker/" + state, "state", state);
        }
        show("holdfast.capture.unclaimed", null, database, "capture.unclaimed");
        show("holdfast.capture.unclaimed.age", "seconds", database, "capture.age");
    }

    private void showQueues() {
        for (String queue : QUEUES) {
            show(
                    "holdfast.operator.queue.depth",
                    null,
                    queues,
                    "queue.depth/" + queue,
                    "queue",
                    queue);
            show(
                    "holdfast.operator.queue.age",
                    "seconds",
                    queues,
                    "queue.age/" + queue,
                    "queue",
                    queue);
        }
    }

    private void show(String name, String unit, Reading reading, String number, String... labels) {
        shown.add(
                Gauge.builder(name, () -> reading.show(number))
                        .tags(labels)
                        .baseUnit(unit)
                        .strongReference(true)
                        .register(registry));
    }
}
