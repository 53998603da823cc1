package dev.holdfast.expiry;

import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Sends expired snapshots to their cleanup. */
@Named
@Dependent
public class ExpiredWriter extends AbstractItemWriter {

    @Inject Removals removals;

    @Override
    public void writeItems(List<Object> items) {
        items.forEach(item -> removals.expire((SnapshotId) item));
    }
}
