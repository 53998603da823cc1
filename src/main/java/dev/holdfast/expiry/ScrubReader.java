package dev.holdfast.expiry;

import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The snapshots whose parts were read longest ago, as many as one run may read. What was read is
 * written down with each, so a restart asks anew and goes on where the last run was.
 */
@Named
@Dependent
public class ScrubReader extends AbstractItemReader {

    @Inject Findings findings;
    @Inject Inventory inventory;
    @Inject JobContext job;
    @Inject Scrubs scrubs;
    @Inject @BatchProperty int most;
    @Inject @BatchProperty long bytes;
    @Inject @BatchProperty String unread;

    private final Deque<SnapshotId> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) throws IOException {
        findings.begin(job.getJobName());
        List<SnapshotId> due = scrubs.due(Duration.parse(unread), most, bytes);
        if (!due.isEmpty() && inventory.isEmpty()) {
            findings.add(job.getJobName(), Finding.storeEmpty());
        } else {
            left.addAll(due);
        }
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
