package dev.holdfast.expiry;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
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
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.time.Clock;
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

    @Inject Orders orders;

    private Order order;

    @Override
    public String process() throws IOException {
        order = orders.current();
        findings.begin(job.getJobName());
        int leftovers = order.isDry() ? 0 : store.removeLeftovers(config.leftoverGrace());
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
                clock.instant().minus(order.duration("age").orElse(config.leftoverGrace()));
        int removed = 0;
        for (Map.Entry<SnapshotId, Inventory.Stored> each : stored.entrySet()) {
            SnapshotId id = each.getKey();
            Inventory.Stored objects = each.getValue();
            if (objects.oldest().isBefore(old) && removals.wasRemoved(id)) {
                if (order.isDry()) {
                    report(id, objects, "would_remove");
                } else {
                    manifests.remove(id.value());
                    removed++;
                }
            } else if (imports.isUnknown(id)) {
                boolean go = order.flag("delete") && objects.newest().isBefore(oldEnough);
                if (go && !order.isDry()) {
                    manifests.remove(id.value());
                    removed++;
                }
                report(id, objects, go ? done() : "objects_without_row");
            }
        }
        return removed;
    }

    private String done() {
        return order.isDry() ? "would_remove" : "removed";
    }

    private void report(SnapshotId id, Inventory.Stored objects, String reason) {
        findings.add(
                job.getJobName(),
                new Finding(
                        id.toString(),
                        reason,
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
                if (!order.isDry()) {
                    scrubs.checked(id, PartsState.MISSING);
                }
                findings.add(
                        job.getJobName(),
                        Finding.of(id, "row_without_objects", "the store has no manifest of it"));
            }
        }
    }
}
