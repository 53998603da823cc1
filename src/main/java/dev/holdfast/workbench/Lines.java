package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Presence;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.BooleanSupplier;

/** The ways from a request to the sandbox of a session. */
@ApplicationScoped
class Lines {

    @Inject LiveSandboxes live;
    @Inject Sandboxes sandboxes;

    /**
     * The sandbox of a session that runs here. Whoever asks counts as somebody who uses it until
     * the exchange is over.
     *
     * @throws Problem {@code sandbox_not_found}; {@code sandbox_not_running}; {@code
     *     temporarily_unavailable} on a node that cannot reach it
     */
    LiveSandbox to(ProjectId project, SandboxId id, HttpServerExchange exchange) {
        Sandbox sandbox = sandboxes.getLive(project, id);
        if (!SandboxQuery.RUNNING.contains(sandbox.state())) {
            throw notRunning(sandbox);
        }
        LiveSandbox found = live.find(id).orElseThrow(() -> outOfReach(sandbox));
        BooleanSupplier over = () -> exchange.isComplete() || !exchange.getConnection().isOpen();
        Presence.Guest guest = found.presence().enter(over);
        exchange.addExchangeCompleteListener(
                (done, next) -> {
                    guest.leave();
                    next.proceed();
                });
        return found;
    }

    private static Problem notRunning(Sandbox sandbox) {
        boolean paused = sandbox.state() == SandboxState.PAUSED;
        return new Problem(
                Reason.SANDBOX_NOT_RUNNING,
                paused
                        ? "The session is paused. Continue it first."
                        : "The session is not running yet. Wait until it is.");
    }

    /** One whose machine was just lost has a row that says so in a moment. */
    private static Problem outOfReach(Sandbox sandbox) {
        return new Problem(
                Reason.TEMPORARILY_UNAVAILABLE,
                "The session runs on "
                        + sandbox.worker()
                        + ", which cannot be reached from here. Try again, or open the console of"
                        + " that node.");
    }
}
