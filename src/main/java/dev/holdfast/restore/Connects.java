package dev.holdfast.restore;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Passages;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Brings callers together with sandboxes that run, waking the paused ones. */
@ApplicationScoped
public class Connects {

    private static final Set<SandboxState> PASSAGES =
            Set.of(SandboxState.STARTING, SandboxState.PAUSING);

    @Inject Passages passages;
    @Inject Resumes resumes;
    @Inject Sandboxes sandboxes;

    /**
     * The sandbox once it runs: at once when it does, resumed when it is paused. Who asks while
     * somebody else resumes it joins. A resume that fails leaves it paused as it was.
     *
     * @param lifetime from now on; a sandbox that runs never lives shorter for it
     * @param fromDisk whether a paused one boots anew instead of going on where it was
     */
    public CompletionStage<Connected> connect(
            ProjectId project, SandboxId id, Duration lifetime, boolean fromDisk) {
        return passages.through(
                id, PASSAGES, () -> tryTo(project, id, Optional.of(lifetime), fromDisk));
    }

    /** Resumes a sandbox because there is traffic for it, with the lifetime it had. */
    public CompletionStage<Connected> wake(Sandbox sandbox) {
        return passages.through(
                sandbox.id(),
                PASSAGES,
                () -> tryTo(sandbox.project(), sandbox.id(), Optional.empty(), false));
    }

    private CompletionStage<Connected> tryTo(
            ProjectId project, SandboxId id, Optional<Duration> lifetime, boolean fromDisk) {
        Sandbox sandbox = sandboxes.getLive(project, id);
        switch (sandbox.state()) {
            case PAUSED -> {
                resumes.resume(project, id, lifetime, fromDisk);
                return resumed(project, id, Optional.empty());
            }
            case RESUMING -> {
                return resumed(project, id, lifetime);
            }
            case RUNNING, SNAPSHOTTING -> {
                sandboxes.requireReachable(sandbox);
                return CompletableFuture.completedStage(
                        new Connected(extended(sandbox, lifetime), false));
            }
            default -> throw sandbox.busy();
        }
    }

    private Sandbox extended(Sandbox sandbox, Optional<Duration> lifetime) {
        return lifetime.map(longer -> sandboxes.extend(sandbox.project(), sandbox.id(), longer))
                .orElse(sandbox);
    }

    /**
     * @param joined the lifetime that one asks for who found it resuming
     */
    private CompletionStage<Connected> resumed(
            ProjectId project, SandboxId id, Optional<Duration> joined) {
        return passages.end(id, SandboxState.RESUMING)
                .handle((sandbox, failure) -> failure == null ? sandbox : late(id, failure))
                .thenApply(
                        sandbox ->
                                switch (sandbox.state()) {
                                    case ENDED -> throw sandbox.ended();
                                    case PAUSED -> throw notResumed(sandbox);
                                    case RESUMING -> throw sandbox.busy();
                                    default -> new Connected(extended(sandbox, joined), true);
                                });
    }

    /**
     * Nobody waits for it any longer: it stays paused, and its machine ends if it comes yet. A
     * restore in place is somebody else's and goes on.
     */
    private Sandbox late(SandboxId id, Throwable failure) {
        if (!Waits.ranOut(failure)) {
            throw new CompletionException(failure);
        }
        sandboxes.notResumed(id, "it did not start in time");
        return sandboxes.find(id).orElseThrow();
    }

    private static Problem notResumed(Sandbox sandbox) {
        return new Problem(
                        Reason.START_FAILED,
                        "Sandbox "
                                + sandbox.id()
                                + " could not go on: "
                                + sandbox.endDetail().orElse("it was paused again meanwhile")
                                + ". It is paused as before and can be connected to again.")
                .with("sandboxID", sandbox.id().value());
    }
}
