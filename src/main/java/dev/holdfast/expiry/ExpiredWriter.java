package dev.holdfast.expiry;

import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Sends expired snapshots to their cleanup. */
@Named
@Dependent
public class ExpiredWriter extends AbstractItemWriter {

    @Inject Snapshots snapshots;

    @Override
    public void writeItems(List<Object> items) {
        items.forEach(item -> snapshots.expire((SnapshotId) item));
    }
}
