package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.ImageCache;
import dev.holdfast.storage.Manifests;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Removes the objects of snapshots, the manifest first, and then their rows. No row and no usage is
 * locked before the objects of the whole chunk are gone: a slow store keeps nobody waiting.
 */
@Named
@Dependent
public class CleanupWriter extends EndingWriter {

    private static final Logger LOG = Logger.getLogger(CleanupWriter.class);

    @Inject ImageCache images;
    @Inject Manifests manifests;
    @Inject Removals removals;

    @Override
    int deal(List<Ending> chunk) {
        List<SnapshotId> gone = new ArrayList<>();
        Map<SnapshotId, String> failed = new LinkedHashMap<>();
        for (Ending each : chunk) {
            try {
                manifests.remove(each.id().value());
                images.forget(each.id().value());
                gone.add(each.id());
            } catch (IOException | RuntimeException e) {
                LOG.warnf(e, "The objects of snapshot %s could not be removed", each.id());
                failed.put(each.id(), e.toString());
            }
        }
        return removals.cleanedUp(gone, failed);
    }

    @Override
    String verb() {
        return "clean up";
    }

    @Override
    String participle() {
        return "cleaned up";
    }
}
