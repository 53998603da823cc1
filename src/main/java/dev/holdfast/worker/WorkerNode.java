package dev.holdfast.worker;

import dev.holdfast.agent.AgentChannel;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.drive.Drives;
import dev.holdfast.event.Event;
import dev.holdfast.fleet.Offer;
import dev.holdfast.fleet.Roles;
import dev.holdfast.fleet.Workers;
import dev.holdfast.peek.Peeks;
import dev.holdfast.runtime.Machine;
import dev.holdfast.runtime.MachineEnd;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.sandbox.Stops;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
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
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
    private static final Duration LONGEST_START = Duration.ofMinutes(5);
    private static final Set<SandboxState> STARTING =
            Set.of(SandboxState.STARTING, SandboxState.RESUMING);

    @Inject SandboxRuntime runtime;
    @Inject Builds builds;
    @Inject CaptureSpace space;
    @Inject Generations generations;
    @Inject Clock clock;
    @Inject Drives drives;
    @Inject Idleness idleness;
    @Inject LiveSandboxes live;
    @Inject Machines machines;
    @Inject Meter meter;
    @Inject PeekMachines peeks;
    @Inject Peeks looks;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject WorkerConfig config;
    @Inject Overdues overdues;
    @Inject Stops stops;
    @Inject DatabaseTime time;
    @Inject Roles roles;
    @Inject Tenure tenure;
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
        runtime.onEnd(this::ended); // before machines are adopted: an end is told once
        takeOver(missing);
        missing.addAll(runtime.readiness().missing());
        announce(missing);
        drives.tellRoom();
        builds.forgetUnwanted();
        every(TICK, this::endDue);
        every(TICK, () -> live.all().forEach(this::endIdle));
        every(RECONCILE, this::reconcile);
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
        tenure.begin();
        announce(missing);
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
        try {
            tenure.withdraw("the worker was stopped");
        } catch (RuntimeException e) {
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

    /**
     * Adopts what live rows name, ends the rows whose machine is gone, and fails broken captures.
     */
    private void takeOver(List<String> missing) {
        Map<MachineId, Sandbox> rows = new HashMap<>();
        for (Sandbox sandbox : sandboxes.ofWorker(config.id())) {
            sandbox.machine().map(MachineId::new).ifPresent(id -> rows.put(id, sandbox));
        }
        List<Machine> kept = List.of();
        try {
            kept = runtime.adopt(runningOf(rows));
        } catch (MachineFailure e) {
            missing.add(e.getMessage());
        } catch (RuntimeException e) {
            LOG.errorf(e, "Worker %s cannot take its machines over", config.id());
            missing.add("machines of the last run cannot be taken over: " + e.getMessage());
        }
        for (Machine machine : kept) {
            adopt(rows.remove(machine.id()), machine);
        }
        rows.values()
                .forEach(
                        lost ->
                                lost(
                                        lost,
                                        EndReason.WORKER_LOST,
                                        "its machine did not outlive the server"));
        for (UploadId broken : snapshots.unfinished(config.id())) {
            snapshots.fail(broken, "the worker was stopped in the middle of the capture");
        }
        peeks.forget();
        space.clear();
    }

    /** A machine whose start was broken off is not kept: nobody knows how far it came. */
    private static Set<MachineId> runningOf(Map<MachineId, Sandbox> rows) {
        return rows.entrySet().stream()
                .filter(row -> !STARTING.contains(row.getValue().state()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void adopt(Sandbox sandbox, Machine machine) {
        try {
            machines.adopt(sandbox, machine);
        } catch (IOException | RuntimeException e) {
            LOG.warnf(e, "Sandbox %s does not answer and is given up", sandbox.id());
            runtime.kill(machine.id());
            lost(sandbox, EndReason.WORKER_LOST, "its agent did not answer the restarted server");
        }
    }

    private void lost(Sandbox sandbox, EndReason reason, String why) {
        sandbox.machine()
                .ifPresent(machine -> sandboxes.lostMachine(sandbox.id(), machine, reason, why));
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

    /**
     * Brings rows and machines together again after a report that was lost, for want of the
     * database for example. The rows are read first: a machine that is missing afterwards has
     * really ended. Its sandbox need not have: it may be paused by now.
     */
    private void reconcile() {
        if (tenure.isTaken()) {
            return; // the rows are another server's
        }
        Set<MachineId> before = runningHere();
        List<Sandbox> rows = sandboxes.ofWorker(config.id());
        Set<MachineId> running = runningHere();
        Instant started = time.now().minus(LONGEST_START);
        for (Sandbox row : rows) {
            if (STARTING.contains(row.state())) {
                if (row.stateSince().isBefore(started)) {
                    sandboxes.notStarted(row.id(), "it did not start in time");
                }
            } else if (row.machine().map(MachineId::new).filter(running::contains).isEmpty()) {
                missed(row);
            }
        }
        tenure.forgetBut(named(rows));
        unowned(before).forEach(machines::discard);
        sandboxes.notGone(config.id()).forEach(machines::end);
    }

    private void missed(Sandbox row) {
        if (row.machine().map(MachineId::new).filter(tenure::hasEnded).isPresent()) {
            lost(row, EndReason.WORKER_LOST, "its worker could not renew its lease");
        } else {
            lost(row, EndReason.FAILED, "its machine is gone");
        }
    }

    private static Set<MachineId> named(List<Sandbox> rows) {
        return rows.stream()
                .flatMap(row -> row.machine().stream())
                .map(MachineId::new)
                .collect(Collectors.toSet());
    }

    private Set<MachineId> runningHere() {
        return runtime.running().stream().map(Machine::id).collect(Collectors.toSet());
    }

    /**
     * The machines that no row names: of sandboxes that were paused, or given up while they
     * started, when something came between that and the end of their machine. A machine is named
     * before it is made, so the machines are looked at first.
     */
    private Set<MachineId> unowned(Set<MachineId> running) {
        Set<MachineId> unowned = new HashSet<>(running);
        sandboxes
                .machinesNamed(running.stream().map(MachineId::value).toList())
                .forEach(named -> unowned.remove(new MachineId(named)));
        looks.machinesNamed(unowned.stream().map(MachineId::value).toList())
                .forEach(named -> unowned.remove(new MachineId(named)));
        return unowned;
    }

    /** The row ends first: whoever then finds the sandbox silent is told why. */
    private void ended(MachineEnd end) {
        if (peeks.ended(end.id())) {
            return;
        }
        live.all().stream()
                .filter(sandbox -> sandbox.machine().id().equals(end.id()))
                .findFirst()
                .ifPresent(
                        sandbox -> {
                            endRow(sandbox.id(), end);
                            machines.drop(sandbox);
                        });
    }

    private void endRow(SandboxId id, MachineEnd end) {
        String machine = end.id().value();
        switch (end.reason()) {
            case OUT_OF_MEMORY -> sandboxes.lostMachine(id, machine, EndReason.OUT_OF_MEMORY, null);
            case OUT_OF_PROCESSES ->
                    sandboxes.lostMachine(
                            id, machine, EndReason.FAILED, "its process limit was reached");
            case FAILED ->
                    sandboxes.lostMachine(
                            id, machine, EndReason.FAILED, "its machine stopped by itself");
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
