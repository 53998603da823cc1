package dev.holdfast.expiry;

import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.ImageCache;
import dev.holdfast.storage.Manifests;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.util.List;
import org.jboss.logging.Logger;

/** Removes the objects of snapshots, the manifest first, and then their rows. */
@Named
@Dependent
public class CleanupWriter extends AbstractItemWriter {

    private static final Logger LOG = Logger.getLogger(CleanupWriter.class);

    @Inject ImageCache images;
    @Inject Manifests manifests;
    @Inject Removals removals;

    @Override
    public void writeItems(List<Object> items) {
        for (Object item : items) {
            cleanUp((SnapshotId) item);
        }
    }

    private void cleanUp(SnapshotId id) {
        try {
            manifests.remove(id.value());
            images.forget(id.value());
            removals.cleanedUp(id);
        } catch (IOException e) {
            LOG.warnf(e, "The objects of snapshot %s could not be removed", id);
            removals.cleanUpLater(id, e.toString());
        }
    }
}
