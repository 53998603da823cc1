package dev.holdfast.expiry;

import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;

/** The expired snapshots at the start of the step; a restart asks anew. */
@Named
@Dependent
public class ExpiredReader extends AbstractItemReader {

    @Inject Removals removals;
    @Inject @BatchProperty int most;

    private final Deque<SnapshotId> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        left.addAll(removals.expired(most));
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
