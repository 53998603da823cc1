package dev.holdfast.autosave;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Captures for a cause; neither a refusal nor a failure reaches who merely happened to cause it.
 */
@ApplicationScoped
class Triggers {

    private static final Logger LOG = Logger.getLogger(Triggers.class);

    /** Of these it is told otherwise, and they pass by themselves. */
    private static final Set<Reason> NOT_NOW =
            Set.of(Reason.SANDBOX_BUSY, Reason.SANDBOX_NOT_RUNNING, Reason.SANDBOX_NOT_FOUND);

    enum Outcome {
        BEGUN,
        /** It is written down why. */
        REFUSED,
        NOT_NOW
    }

    @Inject Autosaves autosaves;

    Outcome pull(Occasion occasion) {
        try {
            return autosaves.capture(occasion) ? Outcome.BEGUN : Outcome.NOT_NOW;
        } catch (Problem problem) {
            if (NOT_NOW.contains(problem.reason())) {
                return Outcome.NOT_NOW;
            }
            return refused(occasion, problem);
        } catch (RuntimeException e) {
            return failed(occasion, e);
        }
    }

    /** Nothing has changed in a sandbox whose interval is over. */
    void skip(SandboxId id) {
        try {
            autosaves.unchanged(id);
        } catch (RuntimeException e) {
            LOG.warnf(e, "The interval of sandbox %s is looked at again", id);
        }
    }

    private Outcome refused(Occasion occasion, Problem problem) {
        LOG.infof(
                "Sandbox %s is not captured (%s): %s",
                occasion.sandbox(), occasion.cause().word(), problem.getMessage());
        try {
            autosaves.refused(occasion.sandbox(), occasion.cause(), problem);
            return Outcome.REFUSED;
        } catch (RuntimeException e) {
            return failed(occasion, e);
        }
    }

    private static Outcome failed(Occasion occasion, RuntimeException e) {
        LOG.warnf(
                e,
                "Sandbox %s could not be captured (%s)",
                occasion.sandbox(),
                occasion.cause().word());
        return Outcome.NOT_NOW;
    }
}
