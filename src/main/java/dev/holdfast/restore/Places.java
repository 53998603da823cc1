package dev.holdfast.restore;

import dev.holdfast.fleet.Vacancies;
import dev.holdfast.fleet.Worker;
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
    @Inject Vacancies vacancies;

    /**
     * The worker for a state that takes the place of a sandbox's own: the one where that runs, if
     * it can, for the sandbox makes room for itself there.
     */
    String inPlace(Snapshot snapshot, String home) {
        Verdict verdict = verdicts.of(snapshot);
        return verdict instanceof Verdict.Yes yes && yes.workers().contains(home)
                ? home
                : vacancies.pick(able(snapshot, verdict), home(snapshot)).id();
    }

    /**
     * The worker for the state that a paused sandbox names, which goes on there in the caller's
     * transaction. It has no end for it: the state before a restore in place expires for all
     * others.
     */
    Worker ofPaused(Snapshot state) {
        Verdict verdict = verdicts.of(state);
        return verdict instanceof Verdict.No no && no.why() == Verdict.Why.EXPIRED
                ? vacancies.take(worker -> worker.id().equals(state.worker()), Optional.empty())
                : vacancies.take(able(state, verdict), home(state));
    }

    /**
     * The worker for a saved state of which the caller's transaction makes a sandbox: one that can,
     * if possible the one that made it.
     *
     * @throws Problem what the verdict says against it, {@code no_worker}, {@code worker_busy}
     */
    public Worker of(Snapshot snapshot) {
        return vacancies.take(able(snapshot, verdicts.of(snapshot)), home(snapshot));
    }

    /** The worker for one that is only looked into, among those workers. */
    public Worker on(Snapshot snapshot, Predicate<String> among) {
        return vacancies.pick(
                able(snapshot, verdicts.of(snapshot)).and(worker -> among.test(worker.id())),
                home(snapshot));
    }

    private static Optional<String> home(Snapshot snapshot) {
        return Optional.of(snapshot.worker());
    }

    private static Predicate<Worker> able(Snapshot snapshot, Verdict verdict) {
        if (verdict instanceof Verdict.No no && no.why() != Verdict.Why.NO_WORKER) {
            throw no.problem();
        }
        // Nobody at all takes sandboxes: that refusal says what each worker lacks.
        List<String> able = verdict instanceof Verdict.Yes yes ? yes.workers() : List.<String>of();
        return worker -> able.contains(worker.id());
    }
}
