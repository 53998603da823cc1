package dev.holdfast.expiry;

import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.worker.WorkerConfig;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jboss.logging.Logger;

/**
 * Ends what lost workers ran, so that it occupies nothing; their captures have failed long before.
 * A worker of this node is not lost: it is starting, and adopts what still runs.
 */
@Named
@Dependent
public class LostWorkerBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(LostWorkerBatchlet.class);

    @Inject Sandboxes sandboxes;
    @Inject WorkerConfig here;
    @Inject Workers workers;

    @Override
    public String process() {
        workers.lost().stream().filter(id -> !id.equals(here.id())).forEach(this::giveUp);
        return "COMPLETED";
    }

    private void giveUp(String worker) {
        LOG.warnf("Worker %s is lost, and so is what it ran", worker);
        for (SandboxId sandbox : sandboxes.running(worker)) {
            try {
                sandboxes.lose(sandbox, worker);
            } catch (RuntimeException e) {
                LOG.warnf(e, "Sandbox %s of worker %s is given up later", sandbox, worker);
            }
        }
    }
}
