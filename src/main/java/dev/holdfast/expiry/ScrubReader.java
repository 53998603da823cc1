package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.Serializable;
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
    @Inject Orders orders;
    @Inject Scrubs scrubs;

    private final Deque<SnapshotId> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) throws IOException {
        Order order = orders.current();
        findings.begin(order.job().id());
        List<SnapshotId> due =
                scrubs.due(
                        order.duration("unread").orElseThrow(), order.most(), order.count("bytes"));
        if (!due.isEmpty() && inventory.isEmpty()) {
            findings.add(order.job().id(), Finding.storeEmpty());
        } else {
            left.addAll(due);
        }
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
