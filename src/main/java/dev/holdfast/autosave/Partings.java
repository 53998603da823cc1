package dev.holdfast.autosave;

import dev.holdfast.access.Principal;
import dev.holdfast.capture.AutoOrder;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Resumes;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.worker.LastWish;
import dev.holdfast.worker.Overdue;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Sandboxes that are captured before they end. */
@ApplicationScoped
public class Partings {

    private static final Logger LOG = Logger.getLogger(Partings.class);

    @Inject Autosaves autosaves;
    @Inject AutosaveConfig config;
    @Inject Resumes resumes;
    @Inject Sandboxes sandboxes;
    @Inject DatabaseTime time;
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

    /**
     * A sandbox that a drain has paused and whose lifetime is over goes on elsewhere if it is to be
     * captured before that ends it: it ends there, with its last capture. For as long as that may
     * take a worker is looked for.
     *
     * @return false when it is to end as it is
     */
    public boolean goesOnFor(SandboxId id) {
        Optional<Sandbox> ending =
                sandboxes.find(id).filter(each -> !each.lifecycle().onTimeout().pauses());
        if (ending.isEmpty() || !autosaves.isFor(id, Cause.TIMEOUT)) {
            return false;
        }
        Optional<Sandbox> late = ending.filter(this::isTooLate);
        if (late.isPresent()) {
            autosaves.refused(id, Cause.TIMEOUT, noneWentOnWith(late.get()));
            return false;
        }
        try {
            resumes.resumeOverdue(id);
        } catch (Problem notNow) {
            LOG.debugf("Sandbox %s goes on later: %s", id, notNow.getMessage());
        }
        return true;
    }

    private boolean isTooLate(Sandbox sandbox) {
        return sandbox.endAt().plus(config.last()).isBefore(time.now());
    }

    private Problem noneWentOnWith(Sandbox sandbox) {
        return new Problem(
                Reason.NO_WORKER,
                "Its worker was drained, and for "
                        + config.last().toSeconds()
                        + " seconds after its end no other could go on with sandbox "
                        + sandbox.id()
                        + ". It ended without its last capture.");
    }

    private boolean begin(Occasion occasion) {
        return triggers.pull(occasion) == Triggers.Outcome.BEGUN;
    }

    private AutoOrder.End end(EndReason why, String actor) {
        return new AutoOrder.End(why, actor, config.last());
    }
}
