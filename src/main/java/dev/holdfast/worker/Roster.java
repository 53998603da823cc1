package dev.holdfast.worker;

import dev.holdfast.database.DatabaseTime;
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
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Which machines here belong to which rows: taken over at the start, and brought together again
 * from time to time.
 */
@ApplicationScoped
class Roster {

    private static final Logger LOG = Logger.getLogger(Roster.class);
    private static final Duration LONGEST_START = Duration.ofMinutes(5);
    private static final Set<SandboxState> STARTING =
            Set.of(SandboxState.STARTING, SandboxState.RESUMING);

    @Inject WorkerConfig config;
    @Inject LiveSandboxes live;
    @Inject Peeks looks;
    @Inject Machines machines;
    @Inject PeekMachines peeks;
    @Inject SandboxRuntime runtime;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject CaptureSpace space;
    @Inject Tenure tenure;
    @Inject DatabaseTime time;

    /**
     * Adopts what live rows name, ends the rows whose machine is gone, and fails broken captures.
     */
    void takeOver(List<String> missing) {
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

    /**
     * Brings rows and machines together again after a report that was lost, for want of the
     * database for example. The rows are read first: a machine that is missing afterwards has
     * really ended. Its sandbox need not have: it may be paused by now.
     */
    void reconcile() {
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
    void ended(MachineEnd end) {
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
}
