package dev.holdfast.expiry;

import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.quota.Drift;
import dev.holdfast.quota.Drifts;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The projects whose counters are not what their rows say, at the start of the step; a restart asks
 * anew.
 */
@Named
@Dependent
public class DriftReader extends AbstractItemReader {

    @Inject Drifts drifts;
    @Inject Findings findings;
    @Inject JobContext job;
    @Inject Orders orders;

    private final Deque<Drift> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        findings.begin(job.getJobName());
        Order order = orders.current();
        left.addAll(drifts.found(order.project(), order.most()));
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
