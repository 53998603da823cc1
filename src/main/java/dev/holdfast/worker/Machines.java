package dev.holdfast.worker;

import dev.holdfast.agent.Identity;
import dev.holdfast.drive.Drives;
import dev.holdfast.drive.Lent;
import dev.holdfast.runtime.Checkpoint;
import dev.holdfast.runtime.Generation;
import dev.holdfast.runtime.Machine;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.MachineSpec;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.sandbox.Body;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.RestoreReport;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.storage.BucketException;
import dev.holdfast.storage.ImageCache;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.ManifestException;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.PartCorruptException;
import dev.holdfast.storage.PartException;
import dev.holdfast.storage.PartMissingException;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * The machines of this worker's sandboxes. Every method blocks until done and holds no transaction;
 * the rows are changed in short ones of their own.
 */
@ApplicationScoped
public class Machines {

    static final String PLATFORM = "gvisor systrap";

    private static final Logger LOG = Logger.getLogger(Machines.class);
    static final List<String> AGENT_COMMAND =
            List.of("/usr/bin/python3", "-I", "-S", "-B", "/usr/lib/holdfast/agent");

    /** How soon a capture that waits for another notices that nobody wants it any more. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration LONGEST_CHECKPOINT = Duration.ofSeconds(60);
    private static final Duration SLACK = Duration.ofSeconds(5);

    @Inject SandboxRuntime runtime;
    @Inject AgentLines lines;
    @Inject Builds builds;
    @Inject Drives drives;
    @Inject ImageCache images;
    @Inject LiveSandboxes live;
    @Inject Manifests manifests;
    @Inject Sandboxes sandboxes;
    @Inject Removals removals;
    @Inject Snapshots snapshots;
    @Inject StartMeter starts;
    @Inject WorkerConfig config;
    @Inject Clock clock;

    /**
     * Starts what a row ordered, unless it was started or ended before. Whatever fails ends the row
     * with the reason and leaves nothing running.
     */
    void start(SandboxId id) {
        MachineId machineId = MachineId.random();
        Optional<Sandbox> found = sandboxes.find(id);
        if (found.isEmpty()) {
            return;
        }
        Optional<Sandbox> claimed =
                sandboxes.claim(
                        id,
                        config.id(),
                        machineId.value(),
                        buildFor(found.get()).orElse(null),
                        stateOf(found.get()).map(Machines::bodyOf));
        if (claimed.isEmpty()) {
            LOG.debugf("Sandbox %s was started or ended before", id);
            return;
        }
        Trail.mark(Mark.PROJECT, claimed.get().project());
        StartMeter.Begun begun = starts.begin(claimed.get());
        try {
            Machine machine = make(claimed.get(), machineId);
            open(claimed.get(), machine);
            begun.succeeded();
        } catch (Exception e) {
            LOG.warnf(e, "Sandbox %s could not be started", id);
            begun.failed(e);
            doubt(claimed.get(), e);
            live.find(id)
                    .filter(here -> here.machine().id().equals(machineId))
                    .ifPresent(this::drop);
            try {
                sandboxes.lostMachine(
                        id, machineId.value(), EndReason.FAILED, Explanation.of(e).words());
            } finally {
                runtime.kill(machineId);
            }
        }
    }

    /** Takes a machine of an earlier run over. */
    void adopt(Sandbox sandbox, Machine machine) throws IOException {
        runtime.resume(machine.id()); // the last run may have died in the middle of a pause
        // The row is the truth; what was in force may be of before a change that was broken off.
        runtime.network(machine.id(), Egresses.of(sandbox.network()));
        LiveSandbox adopted = greet(sandbox, machine);
        live.add(adopted);
        lines.keep(adopted);
        LOG.infof("Sandbox %s goes on", sandbox.id());
    }

    /** Ends whatever runs for a row that has ended, and reports that nothing does. */
    void end(SandboxId id) {
        live.find(id).ifPresent(this::drop);
        sandboxes.find(id).flatMap(Sandbox::machine).map(MachineId::new).ifPresent(runtime::kill);
        sandboxes.gone(id);
        removals.dropPauses(id);
    }

    /**
     * Writes the whole state of a sandbox to a directory that does not exist yet and lets it go on.
     * Its open streams go on too: the agent is quiet while the state is written, so nothing is lost
     * or said twice.
     *
     * @param wanted asked before anything stands still, and while another checkpoint is waited for
     * @throws UnwantedException when nobody wants it any more
     */
    public Frozen freeze(SandboxId id, Path directory, BooleanSupplier wanted) throws IOException {
        LiveSandbox sandbox = taken(id, wanted);
        try {
            AgentLine line = sandbox.line();
            try {
                return write(sandbox, line, directory);
            } finally {
                // Also when the agent did not fall silent: until then nothing is written to it.
                line.channel().resume();
            }
        } finally {
            sandbox.freezing().unlock();
        }
    }

    /**
     * Writes the whole state of a sandbox and keeps it standing still until the answer is given up
     * or closed, by the same thread. Meanwhile nothing it does can be lost, for it does nothing,
     * and no other checkpoint of it begins.
     *
     * @param wanted asked before anything stands still, and while another checkpoint is waited for
     * @throws UnwantedException when nobody wants it any more
     */
    public Held hold(SandboxId id, Path directory, BooleanSupplier wanted) throws IOException {
        LiveSandbox sandbox = taken(id, wanted);
        AgentLine line = sandbox.line();
        try {
            sandbox.hold();
            Frozen state = write(sandbox, line, directory);
            return new Held(state, () -> giveUp(sandbox), () -> letGo(sandbox, line));
        } catch (IOException | RuntimeException e) {
            letGo(sandbox, line);
            throw e;
        }
    }

    /**
     * The same of one that is to end with that: whatever comes of it, its machine never goes on.
     *
     * @throws UnwantedException when nobody wants it any more, before anything stands still
     */
    public Held holdToTheEnd(SandboxId id, Path directory, BooleanSupplier wanted)
            throws IOException {
        LiveSandbox sandbox = taken(id, wanted);
        try {
            sandbox.hold();
            Frozen state = write(sandbox, sandbox.line(), directory);
            return new Held(state, () -> giveUp(sandbox), () -> giveUp(sandbox));
        } catch (IOException | RuntimeException e) {
            giveUp(sandbox);
            throw e;
        }
    }

    /** Cuts what streams from a sandbox and takes it out of the registry. */
    void drop(LiveSandbox sandbox) {
        live.remove(sandbox);
        sandbox.line().channel().close();
    }

    private LiveSandbox here(SandboxId id) {
        return live.find(id)
                .orElseThrow(
                        () ->
                                new MachineFailure(
                                        MachineFailure.Reason.GONE,
                                        "Sandbox " + id + " is not live here"));
    }

    /**
     * The sandbox, with the right to write its state. A capture that was ended frees the sandbox at
     * once, though its checkpoint is not written yet; the next one waits for that.
     */
    private LiveSandbox taken(SandboxId id, BooleanSupplier wanted) throws UnwantedException {
        LiveSandbox sandbox = here(id);
        long end = System.nanoTime() + LONGEST_CHECKPOINT.toNanos();
        try {
            do {
                if (!wanted.getAsBoolean()) {
                    throw new UnwantedException();
                }
                if (sandbox.freezing().tryLock(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                    sandbox.saves();
                    return sandbox;
                }
            } while (System.nanoTime() < end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new MachineFailure(
                MachineFailure.Reason.BUSY, "Sandbox " + id + " is being saved already");
    }

    /** Ends a machine that no row names any more. */
    void discard(MachineId machine) {
        live.all().stream()
                .filter(sandbox -> sandbox.machine().id().equals(machine))
                .forEach(this::drop);
        runtime.kill(machine);
    }

    private void giveUp(LiveSandbox sandbox) {
        try {
            // Itself and not by its machine: it may have gone on already, with another in its
            // place.
            drop(sandbox);
            runtime.kill(sandbox.machine().id());
        } finally {
            sandbox.freezing().unlock();
        }
    }

    private void letGo(LiveSandbox sandbox, AgentLine line) {
        sandbox.release();
        try {
            runtime.resume(sandbox.machine().id());
        } catch (MachineFailure e) {
            LOG.debugf(e, "Sandbox %s ended while it was to be paused", sandbox.id());
        } finally {
            line.channel().resume();
            sandbox.freezing().unlock();
        }
    }

    private Frozen write(LiveSandbox sandbox, AgentLine line, Path directory) throws IOException {
        Awaited.of(line.channel().quiesce(config.quiet()), config.quiet());
        if (sandbox.isHeld()) {
            runtime.pause(sandbox.machine().id());
        }
        Checkpoint checkpoint = runtime.checkpoint(sandbox.machine().id(), directory);
        return new Frozen(checkpoint.files(), checkpoint.freeze(), fingerprint(sandbox.id(), line));
    }

    private Machine make(Sandbox sandbox, MachineId machineId) throws IOException {
        Optional<UUID> image = imageOf(sandbox);
        try (Lent lent = drives.lend(sandbox.mounts())) {
            MachineSpec spec = spec(sandbox, machineId, lent.shares());
            return image.isEmpty() ? runtime.start(spec) : restore(spec, image.get());
        }
    }

    /** A machine from a snapshot; what is wrong with its parts is written down. */
    Machine restore(MachineSpec spec, UUID snapshot) throws IOException {
        try {
            Manifest manifest =
                    manifests
                            .find(snapshot)
                            .orElseThrow(() -> new PartMissingException(Manifest.keyOf(snapshot)));
            try (ImageCache.Lease image = images.require(snapshot, manifest.parts())) {
                return runtime.restore(spec, image.directory());
            }
        } catch (ManifestException e) {
            snapshots.lostParts(new SnapshotId(snapshot), PartsState.CORRUPT);
            throw e;
        } catch (PartException e) {
            snapshots.lostParts(
                    new SnapshotId(snapshot),
                    e instanceof PartCorruptException ? PartsState.CORRUPT : PartsState.MISSING);
            throw e;
        }
    }

    private void open(Sandbox sandbox, Machine machine) throws IOException {
        LiveSandbox opened = greet(sandbox, machine);
        Identity.Report report;
        try {
            if (sandbox.isToReboot()) {
                Awaited.of(opened.agent().reboot(), config.greeting());
            }
            report = Awaited.of(opened.agent().identify(identity(sandbox)), config.greeting());
            if (!report.failed().isEmpty()) {
                LOG.warnf("Sandbox %s is not fully itself: %s", sandbox.id(), report.failed());
            }
            live.add(opened);
            lines.keep(opened);
        } catch (IOException | RuntimeException e) {
            opened.line().channel().close();
            throw e;
        }
        Optional<Sandbox> started =
                sandboxes.started(sandbox.id(), machine.id().value(), told(sandbox, report));
        if (started.isPresent()) {
            opened.follow(started.get());
            imageOf(sandbox).map(SnapshotId::new).ifPresent(this::proved);
            dropPauses(sandbox.id());
        } else {
            // The one who ended it may have found no machine yet, and the row names none any more.
            drop(opened);
            runtime.kill(machine.id());
            sandboxes.gone(sandbox.id());
        }
    }

    private static Optional<RestoreReport> told(Sandbox sandbox, Identity.Report report) {
        return imageOf(sandbox)
                .map(
                        image ->
                                sandbox.isToReboot()
                                        ? RestoreReport.booted(
                                                report.done(),
                                                report.failed(),
                                                report.clockSkewMillis())
                                        : RestoreReport.goingOn(
                                                report.done(),
                                                report.failed(),
                                                report.clockSkewMillis()));
    }

    /** It runs, whether the catalogue hears of it now or not. */
    private void proved(SnapshotId state) {
        try {
            snapshots.restored(state);
        } catch (RuntimeException e) {
            LOG.warnf(e, "That snapshot %s was restored is not written down", state);
        }
    }

    /**
     * A restore failed that the verdict allowed. What is wrong with the parts is written down
     * already; a bucket that did not answer and one that was ended meanwhile say nothing of the
     * snapshot.
     */
    private void doubt(Sandbox sandbox, Exception failure) {
        if (failure instanceof PartException
                || failure instanceof ManifestException
                || failure instanceof BucketException) {
            return;
        }
        try {
            boolean wanted =
                    sandboxes
                            .find(sandbox.id())
                            .filter(row -> row.state() != SandboxState.ENDED)
                            .isPresent();
            imageOf(sandbox)
                    .filter(image -> wanted)
                    .ifPresent(
                            image ->
                                    snapshots.restoreFailed(
                                            new SnapshotId(image),
                                            Explanation.of(failure).words()));
        } catch (RuntimeException e) {
            LOG.warnf(e, "That sandbox %s was not restored is not written down", sandbox.id());
        }
    }

    /** It runs already, and must not be ended for a state that the expiry job removes as well. */
    private void dropPauses(SandboxId id) {
        try {
            removals.dropPauses(id);
        } catch (RuntimeException e) {
            LOG.warnf(e, "The states of sandbox %s that it went on from are removed later", id);
        }
    }

    private LiveSandbox greet(Sandbox sandbox, Machine machine) throws IOException {
        LiveSandbox found =
                new LiveSandbox(
                        sandbox.id(),
                        machine,
                        lines.open(sandbox.id().value(), machine),
                        sandbox.isSecured(),
                        sandbox.network(),
                        sandbox.size());
        found.follow(sandbox);
        return found;
    }

    private MachineSpec spec(Sandbox sandbox, MachineId machineId, List<MachineSpec.Share> shares) {
        Generation generation = Generation.of(sandbox.generation());
        return new MachineSpec(
                machineId,
                generation,
                generation == Generation.FIRST ? null : builds.runtime(buildOf(sandbox)),
                builds.template(sandbox.templateDigest()),
                new MachineSpec.Limits(
                        sandbox.size().memoryBytes(),
                        sandbox.size().cpus(),
                        config.processes(),
                        sandbox.size().diskBytes()),
                Egresses.of(sandbox.network()),
                sandbox.id().value(),
                AGENT_COMMAND,
                shares);
    }

    private static String buildOf(Sandbox sandbox) {
        return sandbox.runtimeBuild()
                .orElseThrow(() -> new IllegalStateException("no runtime build"));
    }

    /** Its own saved state comes before the snapshot it was once made from. */
    private static Optional<UUID> imageOf(Sandbox sandbox) {
        return sandbox.image().or(sandbox::snapshot);
    }

    /**
     * A restore runs with the build that wrote its image, a fresh sandbox with the present one, and
     * one of the first generation with none.
     */
    private Optional<String> buildFor(Sandbox sandbox) {
        if (Generation.of(sandbox.generation()) == Generation.FIRST) {
            return Optional.empty();
        }
        return stateOf(sandbox)
                .flatMap(Snapshot::fingerprint)
                .map(Fingerprint::runtimeBuild)
                .or(builds::runtimeDigest);
    }

    private Optional<Snapshot> stateOf(Sandbox sandbox) {
        return imageOf(sandbox).flatMap(id -> snapshots.find(new SnapshotId(id)));
    }

    private static Body bodyOf(Snapshot state) {
        return new Body(
                state.id().value(),
                state.template(),
                state.templateDigest(),
                state.size(),
                state.mounts(),
                state.environment());
    }

    private Fingerprint fingerprint(SandboxId id, AgentLine line) {
        return new Fingerprint(
                sandboxes.find(id).flatMap(Sandbox::runtimeBuild).orElseThrow(),
                PLATFORM,
                HostFacts.architecture(),
                HostFacts.cpuFeatures(),
                line.protocol());
    }

    private Identity identity(Sandbox sandbox) {
        String machine =
                UUID.nameUUIDFromBytes(sandbox.id().value().getBytes(StandardCharsets.US_ASCII))
                        .toString()
                        .replace("-", "");
        Map<String, String> environment = new LinkedHashMap<>(sandbox.environment());
        environment.put("E2B_SANDBOX", "true");
        environment.put("E2B_SANDBOX_ID", sandbox.id().value());
        environment.put("E2B_TEMPLATE_ID", sandbox.template().value());
        return new Identity(
                sandbox.id().value(),
                sandbox.id().value(),
                machine,
                environment,
                config.processes(),
                clock.instant());
    }
}
