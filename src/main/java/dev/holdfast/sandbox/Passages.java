package dev.holdfast.sandbox;

import dev.holdfast.audit.Origin;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Lets what is asked of a sandbox in passage from one state to another wait for the end of the
 * passage. No thread is held meanwhile.
 */
@ApplicationScoped
public class Passages {

    /** Longer than any capture that a client still waits for. */
    private static final Duration PATIENCE = Duration.ofSeconds(280);

    /** Somebody else may be first each time; but not for ever. */
    private static final int MOST_TRIES = 20;

    @Inject Sandboxes sandboxes;
    @Inject Waits waits;
    @Inject Workers workers;

    /**
     * Acts, and acts again after the passage when the act is refused as {@code sandbox_busy}.
     *
     * @param waitable the states whose end is waited for; in any other the refusal stands
     */
    public <T> CompletionStage<T> through(
            SandboxId id, Set<SandboxState> waitable, Supplier<CompletionStage<T>> act) {
        return through(id, sandbox -> waitable.contains(sandbox.state()), act);
    }

    /**
     * @param waitable whether the end of what a sandbox is in is waited for
     */
    public <T> CompletionStage<T> through(
            SandboxId id, Predicate<Sandbox> waitable, Supplier<CompletionStage<T>> act) {
        return through(id, waitable, Origin.carried(act), MOST_TRIES);
    }

    private <T> CompletionStage<T> through(
            SandboxId id,
            Predicate<Sandbox> waitable,
            Supplier<CompletionStage<T>> act,
            int triesLeft) {
        try {
            return act.get();
        } catch (Problem refused) {
            if (refused.reason() != Reason.SANDBOX_BUSY || triesLeft == 0) {
                throw refused;
            }
            return waits.until(
                            Event.sandbox(id),
                            () -> sandboxes.find(id).filter(Predicate.not(waitable)),
                            PATIENCE)
                    .handle((after, failure) -> after(refused, after, failure))
                    .thenCompose(after -> through(id, waitable, act, triesAfter(after, triesLeft)));
        }
    }

    private static Sandbox after(Problem refused, Sandbox after, Throwable failure) {
        if (failure != null) {
            throw Waits.ranOut(failure) ? refused : new CompletionException(failure);
        }
        return after;
    }

    /** A capture that the act does not wait for either stands in its way or does not: one try. */
    private static int triesAfter(Sandbox after, int triesLeft) {
        return after.state() == SandboxState.SNAPSHOTTING ? 0 : triesLeft - 1;
    }

    /**
     * Waits until a passage that was just begun is over. The stage fails with {@code
     * worker_unreachable} when nobody hears of its worker any more; it may yet go on.
     */
    public CompletionStage<Sandbox> end(SandboxId id, SandboxState passage) {
        return waits.until(Event.sandbox(id), () -> behind(id, passage), PATIENCE);
    }

    private Optional<Sandbox> behind(SandboxId id, SandboxState passage) {
        Optional<Sandbox> found = sandboxes.find(id);
        Optional<Sandbox> within = found.filter(sandbox -> sandbox.state() == passage);
        within.ifPresent(sandbox -> workers.requireHeard(sandbox.worker()));
        return within.isPresent() ? Optional.empty() : found;
    }
}
