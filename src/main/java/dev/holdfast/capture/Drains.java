package dev.holdfast.capture;

import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.role.Roles;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.worker.ServerStop;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Pauses what runs on this worker while it is being drained, a few at a time: because an operator
 * wants that, or because the server is about to stop.
 */
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
    @Inject Roles roles;
    @Inject Sandboxes sandboxes;
    @Inject ServerStop stop;
    @Inject WorkerConfig config;
    @Inject Workers workers;
    @Resource ManagedScheduledExecutorService scheduler;

    private final ConcurrentMap<SandboxId, Long> tried = new ConcurrentHashMap<>();
    private ScheduledFuture<?> ticks;
    private boolean wasOver;

    @PostConstruct
    void start() {
        if (roles.worker()) {
            ticks =
                    scheduler.scheduleWithFixedDelay(
                            Trail.empty().around(this::look),
                            TICK.toMillis(),
                            TICK.toMillis(),
                            TimeUnit.MILLISECONDS);
            stop.watch();
        }
    }

    @PreDestroy
    void end() {
        if (ticks != null) {
            stop.forget();
            ticks.cancel(false);
        }
    }

    private void look() {
        boolean stopping = stop.isAsked();
        try {
            boolean over = true;
            if (!stopping) {
                stop.stay();
            }
            if (stopping ? stop.leave() : isAsked()) {
                over = drain();
            } else {
                tried.clear();
            }
            // Seen twice: who looked for a place before the worker left may have come after that.
            if (stopping && over && wasOver) {
                stop.letGo();
            }
            wasOver = stopping && over;
        } catch (RuntimeException e) {
            LOG.warnf(e, "What is to be paused here is looked for again");
        }
    }

    private boolean isAsked() {
        return workers.find(config.id()).flatMap(Worker::drainingAt).isPresent();
    }

    /**
     * Begins some pauses, or tells that nothing runs here any more.
     *
     * @return whether nothing is left that can be paused
     */
    private boolean drain() {
        List<Sandbox> here =
                sandboxes.ofWorker(config.id()).stream()
                        .filter(sandbox -> sandbox.state() != SandboxState.PAUSED)
                        .toList();
        if (here.isEmpty()) {
            workers.drained(config.id());
            return true;
        }
        long pausing = here.stream().filter(each -> each.state() == SandboxState.PAUSING).count();
        here.stream()
                .filter(sandbox -> sandbox.state() == SandboxState.RUNNING)
                .filter(Sandbox::canBePaused)
                .filter(sandbox -> isDue(sandbox.id()))
                .limit(Math.max(0, AT_ONCE - pausing))
                .forEach(this::begin);
        return here.stream().allMatch(Drains::stays);
    }

    /** What is on its way to another state is waited for; who knows which it comes to. */
    private static boolean stays(Sandbox sandbox) {
        return sandbox.state() == SandboxState.RUNNING && !sandbox.canBePaused();
    }

    private boolean isDue(SandboxId id) {
        Long at = tried.get(id);
        return at == null || System.nanoTime() - at >= AGAIN.toNanos();
    }

    /** One that is about something else by now is looked at again; the others do not wait. */
    private void begin(Sandbox sandbox) {
        try {
            captures.drain(sandbox.project(), sandbox.id());
            tried.put(sandbox.id(), System.nanoTime());
        } catch (Problem e) {
            LOG.debugf("Sandbox %s is not paused now: %s", sandbox.id(), e.getMessage());
        } catch (RuntimeException e) {
            tried.put(sandbox.id(), System.nanoTime());
            LOG.warnf(e, "Sandbox %s is paused later", sandbox.id());
        }
    }
}
