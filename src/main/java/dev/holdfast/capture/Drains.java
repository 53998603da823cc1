package dev.holdfast.capture;

import dev.holdfast.fleet.Roles;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.worker.Tenure;
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
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Pauses what runs on this worker while it is being drained, a few at a time. */
@Singleton
@Startup
@DependsOn("WorkerNode")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class Drains {

    private static final Logger LOG = Logger.getLogger(Drains.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    /** More at once would only make each stand still for longer. */
    private static final int AT_ONCE = 4;

    /** After how long one is tried again that could not be paused. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    @Inject Captures captures;
    @Inject CaptureRun run;
    @Inject Roles roles;
    @Inject Sandboxes sandboxes;
    @Inject Tenure tenure;
    @Inject WorkerConfig config;
    @Inject Workers workers;
    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;

    private final ConcurrentMap<SandboxId, Long> tried = new ConcurrentHashMap<>();
    private ScheduledFuture<?> ticks;

    @PostConstruct
    void start() {
        if (roles.worker()) {
            ticks =
                    scheduler.scheduleWithFixedDelay(
                            Trail.empty().around(this::look),
                            TICK.toMillis(),
                            TICK.toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    @PreDestroy
    void stop() {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }

    /**
     * Pauses what runs here before the server stops, as long as that may take; what is left then
     * ends with the worker. The queues hand nothing out any more, so the captures are done here.
     */
    public void beforeStop() {
        if (ticks == null || !config.drainsOnStop()) {
            return;
        }
        ticks.cancel(false);
        long end = System.nanoTime() + config.drain().toNanos();
        LOG.infof("Worker %s is drained before it stops, within %s", config.id(), config.drain());
        boolean more = true;
        while (more && System.nanoTime() < end) {
            try {
                workers.drain(config.id());
                tenure.renew(); // nothing that is scheduled runs any more
                more = drain(upload -> executor.execute(() -> run.capture(upload)));
                Thread.sleep(TICK.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.warnf(e, "Worker %s cannot be drained now", config.id());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(TICK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            if (workers.find(config.id()).flatMap(Worker::drainingAt).isPresent()) {
                drain(upload -> {}); // the queue hands it to this worker
            } else {
                tried.clear();
            }
        } catch (RuntimeException e) {
            LOG.warnf(e, "What is to be paused here is looked for again");
        }
    }

    /**
     * Begins some pauses.
     *
     * @param begun does what was begun, where nobody else does
     * @return whether there is something to wait for yet
     */
    private boolean drain(Consumer<UploadId> begun) {
        List<Sandbox> here =
                sandboxes.ofWorker(config.id()).stream()
                        .filter(sandbox -> sandbox.state() != SandboxState.PAUSED)
                        .toList();
        if (here.isEmpty()) {
            workers.drained(config.id());
            return false;
        }
        List<Sandbox> moving =
                here.stream().filter(sandbox -> sandbox.state() != SandboxState.RUNNING).toList();
        List<Sandbox> left =
                here.stream()
                        .filter(sandbox -> sandbox.state() == SandboxState.RUNNING)
                        .filter(Sandbox::canBePaused)
                        .toList();
        long pausing = moving.stream().filter(each -> each.state() == SandboxState.PAUSING).count();
        left.stream()
                .filter(sandbox -> isDue(sandbox.id()))
                .limit(Math.max(0, AT_ONCE - pausing))
                .forEach(sandbox -> begin(sandbox, begun));
        return !moving.isEmpty() || !left.isEmpty();
    }

    private boolean isDue(SandboxId id) {
        Long at = tried.get(id);
        return at == null || System.nanoTime() - at >= AGAIN.toNanos();
    }

    /** One that is about something else by now is looked at again; the others do not wait. */
    private void begin(Sandbox sandbox, Consumer<UploadId> begun) {
        try {
            UploadId upload = captures.drain(sandbox.project(), sandbox.id());
            tried.put(sandbox.id(), System.nanoTime());
            begun.accept(upload);
        } catch (Problem e) {
            LOG.debugf("Sandbox %s is not paused now: %s", sandbox.id(), e.getMessage());
        } catch (RuntimeException e) {
            tried.put(sandbox.id(), System.nanoTime());
            LOG.warnf(e, "Sandbox %s is paused later", sandbox.id());
        }
    }
}
