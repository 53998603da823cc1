package dev.holdfast.expiry;

import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;

/** The captures past their deadline at the start of the step; a restart asks anew. */
@Named
@Dependent
public class StalledCaptureReader extends AbstractItemReader {

    @Inject Snapshots snapshots;

    private final Deque<UploadId> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        left.addAll(snapshots.stalled());
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
