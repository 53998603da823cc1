package dev.holdfast.expiry;

import dev.holdfast.snapshot.Snapshots;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Fails captures; one that was saved meanwhile is left alone. */
@Named
@Dependent
public class StalledCaptureWriter extends AbstractItemWriter {

    @Inject Snapshots snapshots;

    @Override
    public void writeItems(List<Object> items) {
        for (Object item : items) {
            Stalled stalled = (Stalled) item;
            snapshots.fail(stalled.upload(), stalled.why());
        }
    }
}
