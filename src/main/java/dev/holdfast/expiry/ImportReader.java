package dev.holdfast.expiry;

import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** The snapshots of which the store has a manifest, by ID; a restart goes on after the last one. */
@Named
@Dependent
public class ImportReader extends AbstractItemReader {

    @Inject Findings findings;
    @Inject JobContext job;
    @Inject Inventory inventory;

    private final Deque<SnapshotId> left = new ArrayDeque<>();
    private String last;

    @Override
    public void open(Serializable checkpoint) throws IOException {
        last = (String) checkpoint;
        if (last == null) {
            findings.begin(job.getJobName());
        }
        inventory.snapshots().entrySet().stream()
                .filter(entry -> entry.getValue().hasManifest())
                .map(Map.Entry::getKey)
                .filter(id -> last == null || id.toString().compareTo(last) > 0)
                .forEach(left::add);
    }

    @Override
    public Object readItem() {
        SnapshotId next = left.poll();
        if (next != null) {
            last = next.toString();
        }
        return next;
    }

    @Override
    public Serializable checkpointInfo() {
        return last;
    }
}
