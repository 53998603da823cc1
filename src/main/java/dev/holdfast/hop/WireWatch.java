package dev.holdfast.hop;

import dev.holdfast.fleet.Workers;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Looks as often as a worker renews whether those are heard of to whom something is open. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class WireWatch {

    private static final Logger LOG = Logger.getLogger(WireWatch.class);

    @Inject Wires wires;
    @Resource ManagedScheduledExecutorService scheduler;

    private ScheduledFuture<?> ticks;

    @PostConstruct
    void start() {
        long period = Workers.LEASE.dividedBy(3).toMillis();
        ticks =
                scheduler.scheduleWithFixedDelay(
                        Trail.empty().around(this::look), period, period, TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void stop() {
        ticks.cancel(false);
    }

    private void look() {
        try {
            wires.look();
        } catch (RuntimeException e) {
            LOG.debug("which workers are heard of cannot be read now; asked again", e);
        }
    }
}
