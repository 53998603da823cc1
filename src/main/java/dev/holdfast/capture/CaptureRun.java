package dev.holdfast.capture;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Operations;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.storage.ImageCache;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectKey;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.Parts;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Meters;
import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.worker.CaptureSpace;
import dev.holdfast.worker.Explanation;
import dev.holdfast.worker.Frozen;
import dev.holdfast.worker.Held;
import dev.holdfast.worker.Machines;
import dev.holdfast.worker.UnwantedException;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One capture on the sandbox's worker, from its claim to its outcome. */
@ApplicationScoped
public class CaptureRun {

    private static final Logger LOG = Logger.getLogger(CaptureRun.class);

    private static final Duration TELL_AGAIN = Duration.ofSeconds(2);

    @Inject CaptureConfig config;
    @Inject CaptureSpace space;
    @Inject Machines machines;
    @Inject Operations operations;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject DatabaseTime time;
    @Inject Parts parts;
    @Inject Manifests manifests;
    @Inject ObjectStore store;
    @Inject ImageCache images;
    @Inject Meters meters;
    @Inject Traces traces;
    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;

    /** Does the capture, if nobody has done or ended it before; its row tells the outcome. */
    void capture(UploadId upload) {
        if (!snapshots.claim(upload)) {
            LOG.debugf("Capture %s was taken or ended before", upload);
            return;
        }
        Snapshot snapshot = snapshots.find(upload).orElseThrow();
        Trail.mark(Mark.PROJECT, snapshot.project());
        Trail.mark(Mark.SANDBOX, snapshot.source());
        LOG.infof("Capture %s of sandbox %s begins", upload, snapshot.source());
        Path directory = space.fresh(upload);
        try (Step step = traces.step("capture")) {
            capture(snapshot, directory, step);
        } finally {
            space.remove(directory);
        }
    }

    private void capture(Snapshot snapshot, Path directory, Step step) {
        UploadId upload = snapshot.upload();
        try {
            if (isLast(snapshot)) {
                sealLast(snapshot, directory);
            } else if (snapshot.kind() == Kind.PAUSE || isStopped(snapshot)) {
                hold(snapshot, directory);
            } else {
                seal(snapshot, freeze(snapshot, directory), directory);
            }
        } catch (EndedException | UnwantedException e) {
            LOG.infof("Capture %s of sandbox %s was ended", upload, snapshot.source());
            step.failed(e);
            fail(upload, Failure.PAST_DEADLINE);
            discard(snapshot);
        } catch (Exception e) {
            LOG.warnf(e, "Capture %s of sandbox %s failed", upload, snapshot.source());
            step.failed(e);
            fail(upload, Failure.of(e, Explanation.of(e).words()));
            discard(snapshot);
        }
    }

    /**
     * Without a database nobody learns of the failure, and the source stays taken: so it is told
     * again until somebody has heard. A server that dies before is told by its next start.
     */
    private void fail(UploadId upload, Failure why) {
        try {
            snapshots.fail(upload, why);
        } catch (RuntimeException e) {
            LOG.warnf(e, "The failure of capture %s is told again soon", upload);
            scheduler.schedule(
                    Trail.here().around(() -> fail(upload, why)),
                    TELL_AGAIN.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private boolean isWanted(UploadId upload) {
        return operations.progress(upload, 0);
    }

    private Frozen freeze(Snapshot snapshot, Path directory) throws IOException {
        try (Step step = traces.step("freeze")) {
            return machines.freeze(snapshot.source(), directory, () -> isWanted(snapshot.upload()));
        }
    }

    /** Whether something else goes on in the place of its source. */
    private boolean isStopped(Snapshot snapshot) {
        return sandboxes
                .find(snapshot.source())
                .filter(source -> source.isStoppedFor(snapshot.upload().value()))
                .isPresent();
    }

    /** A capture that never thaws: the machine is given up only when its state is saved. */
    private void hold(Snapshot snapshot, Path directory) throws IOException {
        try (Held held = held(snapshot, directory)) {
            if (seal(snapshot, held.state(), directory)) {
                held.giveUp();
            }
        }
    }

    private boolean isLast(Snapshot snapshot) {
        return sandboxes
                .find(snapshot.source())
                .filter(Sandbox::isParting)
                .flatMap(Sandbox::upload)
                .filter(snapshot.upload().value()::equals)
                .isPresent();
    }

    /** Its source ends with it: the machine is given up also when its state could not be saved. */
    private void sealLast(Snapshot snapshot, Path directory) throws IOException {
        try (Held held = holdToTheEnd(snapshot, directory)) {
            seal(snapshot, held.state(), directory);
        }
    }

    private Held holdToTheEnd(Snapshot snapshot, Path directory) throws IOException {
        try (Step step = traces.step("freeze")) {
            return machines.holdToTheEnd(
                    snapshot.source(), directory, () -> isWanted(snapshot.upload()));
        }
    }

    private Held held(Snapshot snapshot, Path directory) throws IOException {
        try (Step step = traces.step("freeze")) {
            return machines.hold(snapshot.source(), directory, () -> isWanted(snapshot.upload()));
        }
    }

    private boolean seal(Snapshot snapshot, Frozen frozen, Path directory) throws IOException {
        try (Step step = traces.step("seal")) {
            return sealed(snapshot, frozen, directory);
        }
    }

    private boolean sealed(Snapshot snapshot, Frozen frozen, Path directory) throws IOException {
        long bytes = 0;
        for (String file : frozen.files()) {
            bytes += Files.size(directory.resolve(file));
        }
        if (!snapshots.written(snapshot.upload(), frozen.freeze(), bytes)) {
            throw new EndedException();
        }
        long began = System.nanoTime();
        List<Part> sealed = store(snapshot, frozen, directory);
        Instant savedAt = time.now();
        Manifest manifest =
                ManifestOf.snapshot(
                        snapshot, frozen, sealed, savedAt, retention(snapshot).map(savedAt::plus));
        manifests.save(manifest);
        long manifestBytes = store.size(manifest.key()).orElseThrow();
        if (!snapshots.seal(
                snapshot.upload(), ManifestOf.outcome(manifest, manifestBytes, frozen))) {
            LOG.warnf("Capture %s was ended before it was saved", snapshot.upload());
            discard(snapshot);
            return false;
        }
        Duration sealing = Duration.ofNanos(System.nanoTime() - began);
        String kind = snapshot.kind().name().toLowerCase(Locale.ROOT);
        meters.time("holdfast.capture.freeze", frozen.freeze(), "kind", kind);
        meters.time("holdfast.capture.seal", sealing, "kind", kind);
        LOG.infof(
                "Capture %s of sandbox %s is saved: %d ms frozen, %d ms sealed, %d bytes",
                snapshot.upload(),
                snapshot.source(),
                frozen.freeze().toMillis(),
                sealing.toMillis(),
                bytes);
        keepRaw(snapshot, sealed, directory);
        return true;
    }

    private Optional<Duration> retention(Snapshot snapshot) {
        Optional<Duration> service = config.retention(snapshot.kind());
        return snapshot.isAskedFor()
                ? service.map(preset -> retentions.of(snapshot, preset))
                : service;
    }

    private Part sealPart(String file, Path directory, ObjectKey key, Progress progress)
            throws IOException {
        try (Step step = traces.step("store part")) {
            Part part = parts.seal(file, directory.resolve(file), key, progress);
            LOG.debugf("Part %s is stored as %s", file, key.value());
            return part;
        }
    }

    /** All parts at once: most of the time of a small one is spent waiting for the disk. */
    private List<Part> store(Snapshot snapshot, Frozen frozen, Path directory) throws IOException {
        List<Future<Part>> sealing = new ArrayList<>();
        Progress progress =
                new Progress(bytes -> isWanted(snapshot.upload(), bytes), System::nanoTime);
        for (String file : frozen.files()) {
            ObjectKey key = ObjectKey.ofSnapshot(snapshot.id().value(), file);
            sealing.add(
                    executor.submit(
                            Trail.here().around(() -> sealPart(file, directory, key, progress))));
        }
        List<Part> sealed = new ArrayList<>();
        IOException failure = null;
        for (Future<Part> each : sealing) {
            try {
                sealed.add(each.get());
            } catch (ExecutionException e) {
                failure =
                        e.getCause() instanceof EndedException ended
                                ? ended
                                : new IOException("a part could not be stored", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new IOException("interrupted", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return sealed;
    }

    /** A database that does not answer now has not ended the capture; it is asked again. */
    private boolean isWanted(UploadId upload, long bytesDone) {
        try {
            return operations.progress(upload, bytesDone);
        } catch (RuntimeException e) {
            LOG.debugf(e, "The progress of capture %s is told later", upload);
            return true;
        }
    }

    /**
     * Nothing is left in the store of what came to nothing. Not if its row says otherwise: of two
     * that ended the capture the other may have saved it. The row itself may be gone already, for a
     * clean-up does not wait for whoever is still storing. What cannot be removed now goes with the
     * row.
     */
    private void discard(Snapshot snapshot) {
        try {
            boolean saved =
                    snapshots
                            .find(snapshot.upload())
                            .filter(row -> row.removalReason().isEmpty())
                            .isPresent();
            if (!saved) {
                manifests.remove(snapshot.id().value());
            }
        } catch (IOException | RuntimeException e) {
            LOG.debugf(e, "The objects of capture %s are removed later", snapshot.upload());
        }
    }

    /**
     * The raw files stay on this worker, so that restoring here needs no fetch. Nothing that goes
     * wrong with it may undo what is saved: the machine of a pause would go on, and whatever it did
     * then would be lost. Who removed the snapshot meanwhile may have found no files here yet.
     */
    private void keepRaw(Snapshot snapshot, List<Part> sealed, Path directory) {
        try {
            images.adopt(snapshot.id().value(), sealed, directory);
            if (snapshots.find(snapshot.upload()).filter(Snapshot::isKept).isEmpty()) {
                images.forget(snapshot.id().value());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warnf(e, "The raw image of snapshot %s is not kept here", snapshot.id());
        }
    }
}
