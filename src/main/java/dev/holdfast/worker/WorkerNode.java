package dev.holdfast.worker;

import dev.holdfast.agent.AgentChannel;
import dev.holdfast.drive.Drives;
import dev.holdfast.event.Event;
import dev.holdfast.fleet.Offer;
import dev.holdfast.fleet.Workers;
import dev.holdfast.role.Roles;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.sandbox.Stops;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.template.Generations;
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
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** This node as a worker, from its start to its end. */
@Singleton
@Startup
@DependsOn({"Migrations", "Secrets"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class WorkerNode {

    private static final Logger LOG = Logger.getLogger(WorkerNode.class);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration RECONCILE = Duration.ofSeconds(5);

    @Inject SandboxRuntime runtime;
    @Inject Builds builds;
    @Inject Generations generations;
    @Inject Clock clock;
    @Inject Drives drives;
    @Inject Idleness idleness;
    @Inject LiveSandboxes live;
    @Inject Machines machines;
    @Inject Meter meter;
    @Inject PeekMachines peeks;
    @Inject Sandboxes sandboxes;
    @Inject WorkerConfig config;
    @Inject Overdues overdues;
    @Inject Stops stops;
    @Inject Roles roles;
    @Inject Roster roster;
    @Inject Tenure tenure;
    @Inject UnheardStarts unheard;
    @Inject Workers workers;
    @Resource ManagedScheduledExecutorService scheduler;

    private final List<ScheduledFuture<?>> ticks = new ArrayList<>();
    private volatile boolean started;

    @PostConstruct
    void start() {
        if (roles.worker()) {
            try {
                begin();
            } catch (RuntimeException e) {
                // Nobody renews the lease of a worker that is none.
                ticks.forEach(tick -> tick.cancel(false));
                tenure.end();
                throw e;
            }
        } else {
            LOG.infof("Node %s runs no sandboxes: its roles are %s", config.id(), roles.all());
        }
        started = true;
    }

    private void begin() {
        tenure.begin(); // before anything here is touched that may be another server's
        tenure.keep(this::beginAnew);
        every(RECONCILE, () -> workers.heard(config.id()));
        List<String> missing = new ArrayList<>(builds.publish());
        runtime.onEnd(roster::ended); // before machines are adopted: an end is told once
        roster.takeOver(missing);
        missing.addAll(runtime.readiness().missing());
        announce(missing);
        drives.tellRoom();
        builds.forgetUnwanted();
        every(TICK, this::endDue);
        every(TICK, () -> live.all().forEach(this::endIdle));
        every(RECONCILE, roster::reconcile);
        every(RECONCILE, unheard::look);
        every(TICK, peeks::tick);
        every(RECONCILE, peeks::look);
        every(RECONCILE, drives::sweep);
        every(RECONCILE, drives::tellRoom);
        every(Meter.PERIOD, meter::take);
    }

    /** One that others have given up begins anew with nothing, and is as fit as it was. */
    private void beginAnew() {
        List<String> missing = new ArrayList<>(builds.publish());
        missing.addAll(runtime.readiness().missing());
        if (tenure.beginAgain()) {
            announce(missing);
        }
    }

    /** Whether what a former run left here was taken over. */
    public boolean hasStarted() {
        return started;
    }

    /** Ends everything that runs here and leaves the host as it was. */
    @PreDestroy
    void stop() {
        if (!roles.worker()) {
            return;
        }
        ticks.forEach(tick -> tick.cancel(false));
        unheard.stop();
        try {
            tenure.withdraw("the worker was stopped");
        } catch (Exception e) { // undeclared: a commit that fails throws a checked one
            // Its lease ends by itself, and the host is to be left clean without a database too.
            LOG.warnf(e, "Worker %s could not say that it stops", config.id());
        }
        live.all().forEach(machines::drop);
        peeks.stop();
        runtime.close();
        drives.stop();
        tenure.end();
        if (!tenure.isTaken()) {
            stops.endAll(config.id());
        }
    }

    /** What this worker lacks to run sandboxes, in words. */
    public List<String> missing() {
        if (tenure.isTaken()) {
            return List.of("another server has this worker's name, " + config.id());
        }
        return workers.find(config.id())
                .map(worker -> worker.missing())
                .orElse(List.of("the worker has not started"));
    }

    /** What it lacks for sandboxes of generation 1; empty when that is turned off. */
    public Optional<List<String>> missingForLight() {
        return workers.find(config.id()).flatMap(worker -> worker.missingForLight());
    }

    /** A lifetime was changed somewhere, which the tick must know, or a sandbox has ended. */
    public void observe(@Observes Event event) {
        String kind = Event.sandbox("");
        if (event.subject().startsWith(kind)) {
            SandboxId id = new SandboxId(event.subject().substring(kind.length()));
            live.find(id).ifPresent(here -> sandboxes.find(id).ifPresent(row -> follow(here, row)));
        }
    }

    /** Nobody speaks to one whose row has ended, though its machine may take its time to. */
    private void follow(LiveSandbox here, Sandbox row) {
        if (row.state() == SandboxState.ENDED) {
            machines.drop(here);
        } else {
            here.follow(row);
        }
    }

    private void announce(List<String> missing) {
        workers.announce(
                new Offer(
                        config.id(),
                        missing,
                        generations.offered().contains(1)
                                ? Optional.of(runtime.readiness().missingForLight())
                                : Optional.empty(),
                        builds.runtimeDigest(),
                        Machines.PLATFORM,
                        HostFacts.architecture(),
                        HostFacts.cpuFeatures(),
                        List.of(AgentChannel.VERSION),
                        List.of(Fingerprint.STATE_FORMAT),
                        config.sandboxes()),
                tenure.incarnation());
        if (missing.isEmpty()) {
            LOG.infof("Worker %s takes sandboxes", config.id());
        } else {
            missing.forEach(lack -> LOG.errorf("Worker %s takes none: %s", config.id(), lack));
        }
        missingForLight().stream()
                .flatMap(List::stream)
                .forEach(
                        lack ->
                                LOG.errorf(
                                        "Worker %s takes none of generation 1: %s",
                                        config.id(), lack));
    }

    private void endDue() {
        Instant now = clock.instant();
        live.all().stream().filter(each -> each.isToBeAsked(now)).forEach(this::endDue);
    }

    private void endIdle(LiveSandbox sandbox) {
        try {
            idleness.look(sandbox);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Whether sandbox %s is idle is asked again", sandbox.id());
        }
    }

    /** One that cannot be ended or paused now must not keep the others running. */
    private void endDue(LiveSandbox sandbox) {
        try {
            overdues.end(new Overdue(sandbox.id(), Optional.empty()));
        } catch (RuntimeException e) {
            sandbox.askedInVain();
            LOG.warnf(e, "Sandbox %s is due and could not be ended; tried again", sandbox.id());
        }
    }

    private void every(Duration period, Runnable work) {
        Runnable guarded =
                () -> {
                    if (tenure.isTaken()) {
                        return;
                    }
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        LOG.warnf(e, "A periodic task failed and is tried again");
                    }
                };
        ticks.add(
                scheduler.scheduleWithFixedDelay(
                        Trail.empty().around(guarded),
                        period.toMillis(),
                        period.toMillis(),
                        TimeUnit.MILLISECONDS));
    }
}
