package dev.holdfast.contents;

import dev.holdfast.role.Roles;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.worker.WorkerConfig;
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
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** What comparisons need from time to time, and after a start. */
@Singleton
@Startup
@DependsOn("Migrations")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class ContentsNode {

    private static final Logger LOG = Logger.getLogger(ContentsNode.class);
    private static final long TICK_SECONDS = 30;

    @Inject Comparisons comparisons;
    @Inject Roles roles;
    @Inject WorkerConfig worker;
    @Resource ManagedScheduledExecutorService scheduler;

    private ScheduledFuture<?> ticks;

    @PostConstruct
    void start() {
        if (roles.worker()) {
            comparisons.broken(worker.id());
        }
        if (!roles.control()) {
            return;
        }
        ticks =
                scheduler.scheduleWithFixedDelay(
                        Trail.empty().around(this::tidy),
                        TICK_SECONDS,
                        TICK_SECONDS,
                        TimeUnit.SECONDS);
    }

    @PreDestroy
    void stop() {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }

    private void tidy() {
        try {
            comparisons.tidy();
        } catch (RuntimeException e) {
            LOG.warnf(e, "Comparisons that are over are forgotten later");
        }
    }
}
