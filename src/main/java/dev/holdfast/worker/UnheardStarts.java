package dev.holdfast.worker;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * What this worker was to start and has not heard of, for a broker that is away or a node that died
 * before it could say so; also what it is told of and has not come to yet, which whoever comes
 * second finds taken.
 */
@ApplicationScoped
class UnheardStarts {

    private static final Logger LOG = Logger.getLogger(UnheardStarts.class);

    /** Few beside those that are told: a crowd that waits its turn is not to start at once. */
    private static final int AT_ONCE = 4;

    @Inject Machines machines;
    @Inject Sandboxes sandboxes;
    @Inject WorkerConfig config;
    @Resource ManagedExecutorService executor;

    private final Semaphore places = new Semaphore(AT_ONCE);
    private volatile boolean stopped;

    /** Begins nothing any more. */
    void stop() {
        stopped = true;
    }

    void look() {
        for (SandboxId id : sandboxes.notBegun(config.id())) {
            if (!places.tryAcquire()) {
                return;
            }
            try {
                executor.execute(Trail.empty().with(Mark.SANDBOX, id).around(() -> start(id)));
            } catch (RejectedExecutionException full) {
                places.release();
                return;
            }
        }
    }

    private void start(SandboxId id) {
        try {
            if (!stopped) {
                machines.start(id);
            }
        } catch (RuntimeException e) {
            LOG.warnf(e, "The start of sandbox %s is tried again soon", id);
        } finally {
            places.release();
        }
    }
}
