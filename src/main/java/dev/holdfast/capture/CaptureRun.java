package dev.holdfast.capture;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.snapshot.Sealed;
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
import dev.holdfast.worker.CaptureSpace;
import dev.holdfast.worker.Frozen;
import dev.holdfast.worker.Machines;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** One capture on the sandbox's worker, from its claim to its outcome. */
@ApplicationScoped
public class CaptureRun {

    private static final Logger LOG = Logger.getLogger(CaptureRun.class);

    @Inject CaptureConfig config;
    @Inject CaptureSpace space;
    @Inject Machines machines;
    @Inject Snapshots snapshots;
    @Inject DatabaseTime time;
    @Inject Parts parts;
    @Inject Manifests manifests;
    @Inject ObjectStore store;
    @Inject ImageCache images;

    /** Does the capture, if nobody has done or ended it before; its row tells the outcome. */
    void capture(UploadId upload) {
        if (!snapshots.claim(upload)) {
            LOG.debugf("Capture %s was taken or ended before", upload);
            return;
        }
        Snapshot snapshot = snapshots.find(upload).orElseThrow();
        Path directory = space.fresh(upload);
        try {
            Frozen frozen = machines.freeze(snapshot.source(), directory);
            snapshots.thawed(upload, frozen.freeze());
            seal(snapshot, frozen, directory);
        } catch (Exception e) {
            LOG.warnf(e, "Capture %s of sandbox %s failed", upload, snapshot.source());
            snapshots.fail(upload, words(e));
        } finally {
            space.remove(directory);
        }
    }

    private void seal(Snapshot snapshot, Frozen frozen, Path directory) throws IOException {
        List<Part> sealed = new ArrayList<>();
        for (String file : frozen.files()) {
            ObjectKey key = ObjectKey.ofSnapshot(snapshot.id().value(), file);
            sealed.add(parts.seal(file, directory.resolve(file), key));
        }
        Instant savedAt = time.now();
        Manifest manifest =
                ManifestOf.snapshot(
                        snapshot, frozen, sealed, savedAt, savedAt.plus(config.retention()));
        manifests.save(manifest);
        long manifestBytes = store.size(manifest.key()).orElseThrow();
        if (!snapshots.seal(
                snapshot.upload(), ManifestOf.outcome(manifest, manifestBytes, frozen))) {
            LOG.warnf("Capture %s was ended before it was saved", snapshot.upload());
            removeObjects(snapshot);
            return;
        }
        keepRaw(snapshot, sealed, directory);
    }

    /** The raw files stay on this worker, so that restoring here needs no fetch. */
    private void keepRaw(Snapshot snapshot, List<Part> sealed, Path directory) {
        try {
            images.adopt(snapshot.id().value(), sealed, directory);
        } catch (IOException e) {
            LOG.warnf(e, "The raw image of snapshot %s is not kept here", snapshot.id());
        }
    }

    private void removeObjects(Snapshot snapshot) throws IOException {
        List<ObjectKey> keys = new ArrayList<>();
        store.list(
                ObjectKey.snapshotPrefix(snapshot.id().value()), object -> keys.add(object.key()));
        for (ObjectKey key : keys) {
            store.delete(key);
        }
    }

    private static String words(Exception e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }
}
