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
     * The worker for a state that takes the place of a sandbox's own: the one where that runs, if
     * it can, for the sandbox makes room for itself there.
     */
    String inPlace(Snapshot snapshot, String home) {
        Verdict verdict = verdicts.of(snapshot);
        return verdict instanceof Verdict.Yes yes && yes.workers().contains(home)
                ? home
                : on(snapshot, verdict, worker -> true).id();
    }

    /**
     * The worker for the state that a paused sandbox names, which has no end for it: the state
     * before a restore in place expires for all others.
     */
    Worker ofPaused(Snapshot state) {
        Verdict verdict = verdicts.of(state);
        return verdict instanceof Verdict.No no && no.why() == Verdict.Why.EXPIRED
                ? workers.pick(worker -> worker.id().equals(state.worker()), Optional.empty())
                : on(state, verdict, worker -> true);
    }

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
        return on(snapshot, verdicts.of(snapshot), among);
    }

    private Worker on(Snapshot snapshot, Verdict verdict, Predicate<String> among) {
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
