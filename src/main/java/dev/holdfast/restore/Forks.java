package dev.holdfast.restore;

import dev.holdfast.access.Actor;
import dev.holdfast.capture.Captures;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.UploadId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/**
 * Makes sandboxes like one that runs, of its state at the moment of asking. The state is captured
 * once, every fork starts from it, and it goes when the last has started or failed.
 */
@ApplicationScoped
public class Forks {

    /** What became of one fork: a sandbox that runs, or why there is none. */
    public sealed interface Outcome {
        record Running(Sandbox sandbox) implements Outcome {}

        record Failed(Problem why) implements Outcome {}
    }

    private static final Logger LOG = Logger.getLogger(Forks.class);

    @Inject Captures captures;
    @Inject Removals removals;
    @Inject Restores restores;

    /**
     * @return one outcome for each that was asked for, in no order
     * @throws Problem when nothing was captured
     */
    public CompletionStage<List<Outcome>> fork(
            Actor asker, SandboxId source, int count, Duration lifetime) {
        UploadId upload = captures.acceptPassing(asker.project(), source, asker.principal().text());
        return captures.outcome(upload)
                .thenCompose(state -> start(asker, requireSaved(state), count, lifetime));
    }

    private CompletionStage<List<Outcome>> start(
            Actor asker, SnapshotId state, int count, Duration lifetime) {
        List<CompletableFuture<Outcome>> forks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            forks.add(one(asker, state, lifetime).toCompletableFuture());
        }
        return CompletableFuture.allOf(forks.toArray(CompletableFuture[]::new))
                .thenApply(done -> forks.stream().map(CompletableFuture::join).toList())
                .whenComplete((outcomes, failure) -> drop(state));
    }

    /** It has an expiry as well; the forks run, and their caller has to hear of them. */
    private void drop(SnapshotId state) {
        try {
            removals.drop(List.of(state));
        } catch (RuntimeException e) {
            LOG.warnf(e, "The state %s of forks is removed later", state);
        }
    }

    private CompletionStage<Outcome> one(Actor asker, SnapshotId state, Duration lifetime) {
        try {
            return restores.outcome(restores.fork(asker, state, lifetime))
                    .handle(
                            (sandbox, failure) ->
                                    failure == null ? outcome(sandbox) : failed(failure));
        } catch (RuntimeException e) {
            return CompletableFuture.completedStage(failed(e));
        }
    }

    private static Outcome outcome(Sandbox sandbox) {
        return sandbox.state() == SandboxState.ENDED
                ? new Outcome.Failed(NotStarted.of(sandbox))
                : new Outcome.Running(sandbox);
    }

    /** Whatever it was: the other forks may run, and nobody would know of them. */
    private static Outcome failed(Throwable failure) {
        Throwable cause = Waits.cause(failure);
        if (cause instanceof Problem problem) {
            return new Outcome.Failed(problem);
        }
        LOG.error("A fork could not be started", cause);
        return new Outcome.Failed(
                new Problem(Reason.START_FAILED, "The fork could not be started. Fork again."));
    }

    private static SnapshotId requireSaved(Snapshot state) {
        if (state.state() != SnapshotState.SAVED) {
            throw new Problem(
                    Reason.CAPTURE_FAILED,
                    "The sandbox could not be captured to fork it: "
                            + state.failure().orElse("what was captured is gone")
                            + ". It can be used as before.");
        }
        return state.id();
    }
}
