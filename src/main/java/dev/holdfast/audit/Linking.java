package dev.holdfast.audit;

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
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Has entries take their places in the chains a moment after they are committed. What many
 * transactions wrote meanwhile is one, and nobody who writes waits for it.
 */
@Singleton
@Startup
@DependsOn("Migrations")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class Linking {
    private static final Logger LOG = Logger.getLogger(Linking.class);

    private static final long BEAT_SECONDS = 2;

    /** What a reader waits for at the most; a larger backlog goes on by itself. */
    private static final int MOST_ROUNDS = 20;

    @Inject Chains chains;
    @Inject Pages pages;
    @Resource ManagedScheduledExecutorService scheduler;

    private ScheduledFuture<?> beat;
    private volatile boolean stopped;

    @PostConstruct
    void start() {
        beat =
                scheduler.scheduleWithFixedDelay(
                        this::linkAll, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    @PreDestroy
    void stop() {
        stopped = true;
        beat.cancel(false);
    }

    /** What was committed before the call, unless there is a backlog. */
    public void linkSome() {
        for (int round = 0; round < MOST_ROUNDS && link(); round++) {
            // one transaction each
        }
    }

    /**
     * Whoever made one unreadable does not keep the others from their places.
     *
     * @return whether there may be more
     */
    private boolean link() {
        try {
            return chains.link();
        } catch (RuntimeException e) {
            List<Long> unreadable =
                    chains.next().stream().filter(id -> !pages.isReadable(id)).toList();
            if (unreadable.isEmpty()) {
                throw e;
            }
            LOG.errorf(e, "Entries %s of the audit cannot be read and get no place", unreadable);
            chains.leaveOut(unreadable);
            return true;
        }
    }

    private void linkAll() {
        try {
            while (!stopped && link()) {
                // one transaction each
            }
        } catch (RuntimeException e) { // or it would be the last beat
            LOG.warnf("Entries of the audit get their places later: %s", e.getMessage());
        }
    }
}
