package dev.holdfast.expiry;

import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.worker.WorkerConfig;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Tells of workers that nobody hears of, and ends what lost ones ran, so that it occupies nothing;
 * their captures have failed long before. A worker of this node is not lost: it is starting, and
 * adopts what still runs. What a drain paused ends when its lifetime is over, as it would have
 * done.
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
        workers.missed().forEach(workers::miss);
        sandboxes.overdue().forEach(sandboxes::endOverdue);
        workers.lost().stream().filter(id -> !id.equals(here.id())).forEach(this::giveUp);
        return "COMPLETED";
    }

    /** Nothing new can have come there meanwhile: nobody gives work to one that is unreachable. */
    private void giveUp(String worker) {
        List<SandboxId> ran = sandboxes.running(worker);
        if (!workers.lose(worker)) {
            return;
        }
        LOG.warnf("Worker %s is lost, and so is what it ran", worker);
        for (SandboxId sandbox : ran) {
            try {
                sandboxes.lose(sandbox, worker);
            } catch (RuntimeException e) {
                LOG.warnf(e, "Sandbox %s of worker %s is given up later", sandbox, worker);
            }
        }
    }
}
