package dev.holdfast.job;

import dev.holdfast.telemetry.Trail;
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
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Has the others know that this node lives, so that they leave alone what it runs. */
@Singleton
@Startup
@DependsOn("Migrations")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class JobLease {

    private static final Logger LOG = Logger.getLogger(JobLease.class);

    @Inject JobNodes nodes;
    @Inject Jobs jobs;
    @Resource ManagedScheduledExecutorService scheduler;

    @Inject
    @ConfigProperty(name = "holdfast.job.lease", defaultValue = "PT30S")
    Duration lease;

    private ScheduledFuture<?> renewals;

    @PostConstruct
    void begin() {
        try {
            nodes.begin(lease);
        } catch (RuntimeException e) { // the first renewal does the same
            LOG.warnf(e, "That this node lives is said soon");
        }
        long period = lease.dividedBy(3).toMillis();
        renewals =
                scheduler.scheduleWithFixedDelay(
                        Trail.empty().around(this::renew), period, period, TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void end() {
        renewals.cancel(false);
    }

    private void renew() {
        try {
            if (!nodes.renew(lease)) {
                LOG.warn("This node could not say in time that it lives");
                jobs.stopTakenOver();
            }
        } catch (RuntimeException e) { // or it would be the last time
            LOG.warnf(e, "That this node lives is said again soon");
        }
    }
}
