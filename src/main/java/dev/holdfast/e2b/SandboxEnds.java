package dev.holdfast.e2b;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.autosave.Partings;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.sandbox.Passages;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ending a sandbox, answered when nothing of it can be reached any more. */
@ApplicationScoped
public class SandboxEnds {

    /**
     * The row has ended by then in any case; a worker that does not answer is no reason to wait.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * A capture that somebody asked for is not waited for: they mean to keep the sandbox. One of
     * its policy's own is, since nobody does.
     */
    private static final Set<SandboxState> PASSAGES =
            Set.of(SandboxState.PAUSING, SandboxState.RESUMING);

    @Inject Partings partings;
    @Inject Passages passages;
    @Inject Sandboxes sandboxes;
    @Inject Waits waits;

    /** Who did not make the sandbox needs the permission to end others'. */
    public CompletionStage<Void> kill(Actor actor, SandboxId id) {
        String who = actor.principal().text();
        if (!sandboxes.getLive(actor.project(), id).createdBy().equals(who)) {
            actor.require(Permission.SANDBOXES_MANAGE);
        }
        return passages.through(id, this::isWaitedFor, () -> end(actor, id));
    }

    private boolean isWaitedFor(Sandbox sandbox) {
        return PASSAGES.contains(sandbox.state()) || partings.isOwnCapture(sandbox);
    }

    private CompletionStage<Void> end(Actor actor, SandboxId id) {
        String who = actor.principal().text();
        if (partings.begin(id, who)) {
            return gone(id, partings.longest().plus(PATIENCE));
        }
        sandboxes.kill(actor.project(), id, who);
        return gone(id, PATIENCE);
    }

    private CompletionStage<Void> gone(SandboxId id, Duration patience) {
        return waits.until(
                        Event.sandbox(id),
                        () -> sandboxes.find(id).filter(Sandbox::isGone),
                        patience)
                .<Void>thenApply(gone -> null)
                .exceptionallyCompose(SandboxEnds::ended);
    }

    private static CompletionStage<Void> ended(Throwable failure) {
        return Waits.ranOut(failure)
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(failure);
    }
}
