package dev.holdfast.expiry;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.snapshot.Imports;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.StorageConfig;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Compares store and catalogue. Removes what a capture stored after its row had been cleaned up,
 * and what broken uploads left; reports objects without rows and rows without objects. The objects
 * are listed first and the rows asked after, so a snapshot that is being made is never taken for
 * one that is gone.
 */
@Named
@Dependent
public class OrphanBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(OrphanBatchlet.class);

    @Inject Clock clock;
    @Inject DatabaseTime time;
    @Inject Findings findings;
    @Inject Imports imports;
    @Inject Inventory inventory;
    @Inject JobContext job;
    @Inject Manifests manifests;
    @Inject ObjectStore store;
    @Inject StorageConfig config;
    @Inject Removals removals;
    @Inject Scrubs scrubs;

    /** The operator's word: objects of which the catalogue knows nothing are removed as well. */
    @Inject @BatchProperty boolean delete;

    /** How long ago the last of them must have been stored; empty: the grace time of uploads. */
    @Inject @BatchProperty String age;

    @Override
    public String process() throws IOException {
        findings.begin(job.getJobName());
        int leftovers = store.removeLeftovers(config.leftoverGrace());
        Instant before = time.now().minus(config.leftoverGrace());
        Map<SnapshotId, Inventory.Stored> stored = inventory.snapshots();
        int removed = sweep(stored);
        missing(stored, before);
        if (leftovers + removed > 0) {
            LOG.infof("Removed %d broken uploads and %d orphans", leftovers, removed);
        }
        return "COMPLETED";
    }

    private int sweep(Map<SnapshotId, Inventory.Stored> stored) throws IOException {
        Instant old = clock.instant().minus(config.leftoverGrace());
        Instant oldEnough =
                clock.instant()
                        .minus(
                                age == null || age.isBlank()
                                        ? config.leftoverGrace()
                                        : Duration.parse(age));
        int removed = 0;
        for (Map.Entry<SnapshotId, Inventory.Stored> each : stored.entrySet()) {
            SnapshotId id = each.getKey();
            Inventory.Stored objects = each.getValue();
            if (objects.oldest().isBefore(old) && removals.wasRemoved(id)) {
                manifests.remove(id.value());
                removed++;
            } else if (imports.isUnknown(id)) {
                boolean go = delete && objects.newest().isBefore(oldEnough);
                if (go) {
                    manifests.remove(id.value());
                    removed++;
                }
                report(id, objects, go);
            }
        }
        return removed;
    }

    private void report(SnapshotId id, Inventory.Stored objects, boolean removed) {
        findings.add(
                job.getJobName(),
                new Finding(
                        id.toString(),
                        removed ? "removed" : "objects_without_row",
                        objects.hasManifest()
                                ? "with a manifest: import-catalogue brings it back"
                                : "without a manifest: nothing can be made of it",
                        objects.objects(),
                        objects.bytes()));
    }

    /** A row that was saved before the grace time and has no manifest will not get one. */
    private void missing(Map<SnapshotId, Inventory.Stored> stored, Instant before)
            throws IOException {
        Set<SnapshotId> saved = scrubs.savedBefore(before);
        if (stored.isEmpty() && !saved.isEmpty()) {
            findings.add(job.getJobName(), Finding.storeEmpty());
            return;
        }
        for (SnapshotId id : saved) {
            boolean there = stored.containsKey(id) && stored.get(id).hasManifest();
            if (!there && !store.exists(Manifest.keyOf(id.value()))) {
                scrubs.checked(id, PartsState.MISSING);
                findings.add(
                        job.getJobName(),
                        Finding.of(id, "row_without_objects", "the store has no manifest of it"));
            }
        }
    }
}
