package dev.holdfast.expiry;

import dev.holdfast.autosave.Partings;
import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.worker.WorkerConfig;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Tells of workers that nobody hears of, and ends what lost ones ran, so that it occupies nothing;
 * their captures have failed long before. A worker of this node is not lost: it is starting, and
 * adopts what still runs. What a drain paused ends when its lifetime is over, as it would have
 * done, and where it is to be captured before that it goes on for it.
 */
@Named
@Dependent
public class LostWorkerBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(LostWorkerBatchlet.class);

    @Inject Partings partings;
    @Inject Sandboxes sandboxes;
    @Inject WorkerConfig here;
    @Inject Workers workers;

    @Override
    public String process() {
        each(workers.missed(), workers::miss);
        each(workers.lost().stream().filter(id -> !id.equals(here.id())).toList(), this::giveUp);
        each(sandboxes.overdue(), this::endOverdue);
        return "COMPLETED";
    }

    /** One that fails keeps nobody from the others, and its turn comes again. */
    private static <T> void each(List<T> all, Consumer<T> act) {
        for (T one : all) {
            try {
                act.accept(one);
            } catch (RuntimeException e) {
                LOG.warnf(e, "%s is looked at again later", one);
            }
        }
    }

    private void endOverdue(SandboxId id) {
        if (!partings.goesOnFor(id)) {
            sandboxes.endOverdue(id);
        }
    }

    /** Nothing new can have come there meanwhile: nobody gives work to one that is unreachable. */
    private void giveUp(String worker) {
        List<SandboxId> ran = sandboxes.running(worker);
        if (!workers.lose(worker)) {
            return;
        }
        LOG.warnf("Worker %s is lost, and so is what it ran", worker);
        each(ran, sandbox -> sandboxes.lose(sandbox, worker));
    }
}
