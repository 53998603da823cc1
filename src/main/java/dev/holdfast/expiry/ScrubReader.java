package dev.holdfast.expiry;

import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The snapshots whose parts were read longest ago, as many as one run may read. What was read is
 * written down with each, so a restart asks anew and goes on where the last run was.
 */
@Named
@Dependent
public class ScrubReader extends AbstractItemReader {

    @Inject Findings findings;
    @Inject JobContext job;
    @Inject Scrubs scrubs;
    @Inject @BatchProperty int most;
    @Inject @BatchProperty long bytes;
    @Inject @BatchProperty String unread;

    private final Deque<SnapshotId> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        findings.begin(job.getJobName());
        left.addAll(scrubs.due(Duration.parse(unread), most, bytes));
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
