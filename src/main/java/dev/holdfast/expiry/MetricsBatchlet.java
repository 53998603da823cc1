package dev.holdfast.expiry;

import dev.holdfast.sandbox.Metrics;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Forgets what sandboxes used long ago. */
@Named
@Dependent
public class MetricsBatchlet extends AbstractBatchlet {

    @Inject Metrics metrics;

    @Override
    public String process() {
        metrics.purge();
        return "COMPLETED";
    }
}
