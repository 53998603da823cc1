package dev.holdfast.restore;

import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Verdict;
import dev.holdfast.snapshot.Verdicts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Where a saved state is restored: on a worker that its verdict names. */
@ApplicationScoped
public class Places {

    @Inject Verdicts verdicts;
    @Inject Workers workers;

    /**
     * The worker for a saved state: one that can, if possible the one that made it.
     *
     * @throws Problem what the verdict says against it, {@code no_worker}, {@code worker_busy}
     */
    public Worker of(Snapshot snapshot) {
        return on(snapshot, worker -> true);
    }

    /** The same, among those workers. */
    public Worker on(Snapshot snapshot, Predicate<String> among) {
        Verdict verdict = verdicts.of(snapshot);
        if (verdict instanceof Verdict.No no && no.why() != Verdict.Why.NO_WORKER) {
            throw no.problem();
        }
        // Nobody at all takes sandboxes: that refusal says what each worker lacks.
        List<String> able = verdict instanceof Verdict.Yes yes ? yes.workers() : List.<String>of();
        return workers.pick(
                worker -> able.contains(worker.id()) && among.test(worker.id()),
                Optional.of(snapshot.worker()));
    }
}
