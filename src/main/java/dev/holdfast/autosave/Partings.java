package dev.holdfast.autosave;

import dev.holdfast.access.Principal;
import dev.holdfast.capture.AutoOrder;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.worker.LastWish;
import dev.holdfast.worker.Overdue;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;

/** Sandboxes that are captured before they end. */
@ApplicationScoped
public class Partings {

    @Inject Autosaves autosaves;
    @Inject AutosaveConfig config;
    @Inject Triggers triggers;

    /**
     * Begins the last capture of a sandbox that somebody kills, with which it ends.
     *
     * @return false when its policy does not want that or it cannot be captured now: it is to be
     *     killed as any other
     */
    public boolean begin(SandboxId id, String actor) {
        return autosaves.isFor(id, Cause.KILL)
                && begin(Occasion.killed(id, end(EndReason.KILLED, actor)));
    }

    /** Whether a sandbox is being captured for its policy and not because somebody asked now. */
    public boolean isOwnCapture(Sandbox sandbox) {
        return sandbox.state() == SandboxState.SNAPSHOTTING
                && sandbox.upload()
                        .map(UploadId::new)
                        .filter(upload -> autosaves.hasBegun(sandbox.id(), upload))
                        .isPresent();
    }

    /** After how long a sandbox that was taken has ended, whatever came of its capture. */
    public Duration longest() {
        return config.last();
    }

    void observe(@Observes LastWish wish) {
        Overdue due = wish.due();
        EndReason why = due.idle().isPresent() ? EndReason.IDLE : EndReason.TIMEOUT;
        if (autosaves.isFor(due.sandbox(), Cause.TIMEOUT)
                && begin(Occasion.overdue(due, end(why, Principal.system().text())))) {
            wish.grant();
        }
    }

    private boolean begin(Occasion occasion) {
        return triggers.pull(occasion) == Triggers.Outcome.BEGUN;
    }

    private AutoOrder.End end(EndReason why, String actor) {
        return new AutoOrder.End(why, actor, config.last());
    }
}
