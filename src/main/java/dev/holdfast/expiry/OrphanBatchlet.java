package dev.holdfast.expiry;

import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.StorageConfig;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Removes what a capture stored after its row had been cleaned up, and what broken uploads left.
 * The objects are listed first and the rows asked after, so a snapshot that is being made is never
 * taken for one that is gone.
 */
@Named
@Dependent
public class OrphanBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(OrphanBatchlet.class);
    private static final String SNAPSHOTS = "snapshots/";

    @Inject Clock clock;
    @Inject Manifests manifests;
    @Inject ObjectStore store;
    @Inject StorageConfig config;
    @Inject Removals removals;

    @Override
    public String process() throws IOException {
        int leftovers = store.removeLeftovers(config.leftoverGrace());
        int removed = 0;
        for (String id : stored()) {
            SnapshotId snapshot = SnapshotId.parse(id).orElse(null);
            if (snapshot != null && removals.wasRemoved(snapshot)) {
                manifests.remove(snapshot.value());
                removed++;
            }
        }
        if (leftovers + removed > 0) {
            LOG.infof("Removed %d broken uploads and %d orphans", leftovers, removed);
        }
        return "COMPLETED";
    }

    private Set<String> stored() throws IOException {
        Set<String> ids = new TreeSet<>();
        Instant old = clock.instant().minus(config.leftoverGrace());
        store.list(
                SNAPSHOTS,
                object -> {
                    if (object.modifiedAt().isBefore(old)) {
                        String rest = object.key().value().substring(SNAPSHOTS.length());
                        ids.add(rest.substring(0, rest.indexOf('/')));
                    }
                });
        return ids;
    }
}
