package dev.holdfast.worker;

import dev.holdfast.access.ProjectId;
import dev.holdfast.drive.Drives;
import dev.holdfast.event.Event;
import dev.holdfast.peek.Peek;
import dev.holdfast.peek.Peeks;
import dev.holdfast.problem.Reason;
import dev.holdfast.runtime.Egress;
import dev.holdfast.runtime.Generation;
import dev.holdfast.runtime.Machine;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.MachineSpec;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.storage.ManifestException;
import dev.holdfast.storage.PartException;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Clock;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * The machines of this worker that show snapshots: restored without any network, with everything
 * but their agent stopped before anybody looks, and ended soon after the last look.
 */
@ApplicationScoped
public class PeekMachines {

    private static final Logger LOG = Logger.getLogger(PeekMachines.class);

    /** For the program that looks around, beside what the snapshot itself needs. */
    private static final long ROOM = 128L * 1024 * 1024;

    @Inject Builds builds;
    @Inject Clock clock;
    @Inject PeekConfig config;
    @Inject AgentLines lines;
    @Inject Machines machines;
    @Inject Peeks peeks;
    @Inject SandboxRuntime runtime;
    @Inject Snapshots snapshots;
    @Inject WorkerConfig worker;
    @Resource ManagedExecutorService executor;

    private final ConcurrentMap<UUID, LivePeek> live = new ConcurrentHashMap<>();

    /** Who has looked through each, also while it was still to be opened. */
    private final ConcurrentMap<UUID, Set<String>> lookers = new ConcurrentHashMap<>();

    private PeekRoom room;

    @PostConstruct
    void begin() {
        room = new PeekRoom(config.most(), config.project());
    }

    /** One that is open here. */
    public Optional<LivePeek> find(UUID id) {
        return Optional.ofNullable(live.get(id));
    }

    /** Whether somebody looks through one for the first time. */
    public boolean isNewTo(UUID id, String principal) {
        return !lookers.getOrDefault(id, Set.of()).contains(principal);
    }

    /** Somebody's first look is written down. */
    public void remember(UUID id, String principal) {
        lookers.computeIfAbsent(id, none -> ConcurrentHashMap.newKeySet()).add(principal);
    }

    /** Opens what a row ordered, unless it was opened or given up before. */
    void open(UUID id) {
        Optional<Peek> row = peeks.find(id).filter(each -> each.state() == Peek.State.OPENING);
        if (row.isEmpty()) {
            return;
        }
        if (!room.take(id, row.get().project(), config.patience(), this::endIdle)) {
            peeks.failed(
                    id,
                    Reason.WORKER_BUSY,
                    "As many snapshots are looked into as may be at once. Ask again later.");
            return;
        }
        MachineId machine = MachineId.random();
        try {
            if (peeks.claim(id, worker.id(), machine.value())) {
                make(row.get(), machine);
            }
        } catch (Exception e) {
            LOG.warnf(e, "Snapshot %s could not be opened to look into it", row.get().snapshot());
            Optional.ofNullable(live.remove(id)).ifPresent(PeekMachines::cutOff);
            kill(machine);
            peeks.failed(id, Reason.CONTENTS_UNAVAILABLE, refusal(row.get(), e));
        } finally {
            if (!live.containsKey(id)) {
                room.leave(id);
                lookers.remove(id);
            }
        }
    }

    /** What no machine of this run is: rows of the last one. */
    void forget() {
        peeks.forget(worker.id());
    }

    /** Ends what nobody uses any more, or for too long. */
    void tick() {
        for (LivePeek each : live.values()) {
            if (each.closeIfDue(clock.instant(), config.linger(), config.longest())) {
                end(each);
            }
        }
    }

    /** Makes good the news of a deletion that was lost. */
    void look() {
        live.values().stream().filter(each -> !isKept(each.snapshot())).forEach(this::close);
        // One is here before its row says so, and its row goes first.
        peeks.open(worker.id()).stream().filter(id -> !live.containsKey(id)).forEach(peeks::ended);
        lookers.keySet().removeIf(id -> !live.containsKey(id) && peeks.find(id).isEmpty());
        peeks.tidy();
    }

    /** A deletion wins over whoever looks. */
    public void observe(@Observes Event event) {
        live.values().stream()
                .filter(each -> event.subject().equals(Event.snapshot(each.snapshot())))
                .filter(each -> !isKept(each.snapshot()))
                .forEach(this::close);
    }

    /** Whether it was one of these whose machine has ended by itself. */
    boolean ended(MachineId machine) {
        Optional<LivePeek> found =
                live.values().stream().filter(e -> e.machine().id().equals(machine)).findFirst();
        found.ifPresent(this::close);
        return found.isPresent();
    }

    /** The server stops: whoever looks is cut off. */
    void stop() {
        live.values().forEach(each -> each.line().channel().close());
        try {
            forget();
        } catch (RuntimeException e) {
            LOG.debugf(e, "The next start forgets the peeks of worker %s", worker.id());
        }
    }

    private boolean isKept(SnapshotId id) {
        return snapshots.find(id).filter(row -> row.state() == SnapshotState.SAVED).isPresent();
    }

    private boolean endIdle(Predicate<ProjectId> projects) {
        Optional<LivePeek> idle =
                live.values().stream()
                        .filter(LivePeek::isIdle)
                        .filter(each -> projects.test(each.project()))
                        .min(Comparator.comparing(LivePeek::usedAt));
        idle.filter(LivePeek::closeIfIdle).ifPresent(this::end);
        return idle.isPresent();
    }

    /** Not by the thread that tells of it: the end of a machine takes its time. */
    private void close(LivePeek peek) {
        if (peek.close()) {
            try {
                executor.execute(() -> end(peek));
            } catch (RejectedExecutionException full) {
                end(peek);
            }
        }
    }

    private void end(LivePeek peek) {
        try {
            peek.line().channel().close();
            peeks.ended(peek.id());
        } catch (RuntimeException e) {
            LOG.warnf(e, "The row of peek %s is forgotten later", peek.id());
        } finally {
            live.remove(peek.id());
            lookers.remove(peek.id());
            room.leave(peek.id());
            kill(peek.machine().id());
        }
    }

    /** Nothing else may come to grief by it: a machine that no row names is ended later. */
    private void kill(MachineId machine) {
        try {
            runtime.kill(machine);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Machine %s, which showed a snapshot, is ended later", machine);
        }
    }

    private static void cutOff(LivePeek peek) {
        peek.close();
        peek.line().channel().close();
    }

    private void make(Peek row, MachineId machineId) throws IOException {
        Snapshot snapshot = snapshots.find(row.snapshot()).orElseThrow();
        Machine machine = machines.restore(spec(snapshot, machineId), snapshot.id().value());
        AgentLine line = lines.open("peek-" + row.id(), machine);
        LivePeek peek =
                new LivePeek(
                        row.id(), row.project(), snapshot.id(), machine, line, clock.instant());
        try {
            // First of all: from here on nothing in it runs but what looks into it.
            Awaited.of(peek.probe().freeze(), worker.greeting());
        } catch (IOException | RuntimeException e) {
            line.channel().close();
            throw e;
        }
        live.put(peek.id(), peek);
        line.channel().ended().thenAccept(why -> close(peek));
        if (!peeks.opened(row.id(), machineId.value()) || !isKept(snapshot.id())) {
            close(peek);
        }
    }

    private MachineSpec spec(Snapshot snapshot, MachineId id) {
        String build = snapshot.fingerprint().map(Fingerprint::runtimeBuild).orElseThrow();
        return new MachineSpec(
                id,
                Generation.SECOND,
                builds.runtime(build),
                builds.template(snapshot.templateDigest()),
                new MachineSpec.Limits(
                        snapshot.size().memoryBytes() + ROOM,
                        snapshot.size().cpus(),
                        worker.processes(),
                        snapshot.size().diskBytes()),
                Egress.NOTHING,
                "peek",
                Machines.AGENT_COMMAND,
                Drives.hidden(snapshot.mounts()));
    }

    private String refusal(Peek row, Exception why) {
        String words = Explanation.of(why).words();
        boolean lost =
                why instanceof PartException
                        || why instanceof ManifestException
                        || why instanceof MachineFailure failure
                                && failure.reason() == MachineFailure.Reason.FILE_GONE;
        return "Snapshot "
                + row.snapshot()
                + " could not be opened: "
                + words
                + (lost ? ". Use another snapshot." : ". Ask again later.");
    }
}
