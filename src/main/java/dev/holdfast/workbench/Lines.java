package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.Agent;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Presence;
import io.undertow.server.HttpServerExchange;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/** The ways from a request to the sandbox of a session. */
@ApplicationScoped
class Lines {

    private static final Logger LOG = Logger.getLogger(Lines.class);

    @Inject LiveSandboxes live;
    @Inject Sandboxes sandboxes;
    @Resource ManagedExecutorService executor;

    /** One of them. */
    record Line(Lines lines, ProjectId project, SandboxId id, LiveSandbox sandbox, Trail trail) {

        Agent agent() {
            return sandbox.agent();
        }

        /**
         * What came of a call. When the session did not answer because it ended meanwhile, or was
         * paused, that is told as it is a moment later; its row is asked by a thread that may wait.
         */
        <T> CompletionStage<T> told(CompletionStage<T> call) {
            return call.exceptionallyCompose(
                    failure ->
                            isSilence(Waits.cause(failure))
                                    ? lines.orGone(this, failure)
                                    : CompletableFuture.failedStage(failure));
        }

        private static boolean isSilence(Throwable failure) {
            return failure instanceof Problem problem
                    && problem.reason() == Reason.TEMPORARILY_UNAVAILABLE;
        }
    }

    /**
     * The sandbox of a session that runs here. Whoever asks counts as somebody who uses it until
     * the exchange is over.
     *
     * @throws Problem {@code sandbox_not_found}; {@code sandbox_not_running}; {@code
     *     temporarily_unavailable} on a node that cannot reach it
     */
    Line to(ProjectId project, SandboxId id, HttpServerExchange exchange) {
        Sandbox sandbox = running(project, id);
        LiveSandbox found = live.find(id).orElseThrow(() -> outOfReach(sandbox));
        BooleanSupplier over = () -> exchange.isComplete() || !exchange.getConnection().isOpen();
        Presence.Guest guest = found.presence().enter(over);
        exchange.addExchangeCompleteListener(
                (done, next) -> {
                    guest.leave();
                    next.proceed();
                });
        return new Line(this, project, id, found, Trail.here());
    }

    private Sandbox running(ProjectId project, SandboxId id) {
        Sandbox sandbox = sandboxes.getLive(project, id);
        if (!SandboxQuery.RUNNING.contains(sandbox.state())) {
            throw notRunning(sandbox);
        }
        return sandbox;
    }

    private <T> CompletionStage<T> orGone(Line line, Throwable failure) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Runnable look = () -> told.completeExceptionally(gone(line).orElse(failure));
        try {
            executor.execute(line.trail().around(look));
        } catch (RejectedExecutionException full) {
            told.completeExceptionally(failure);
        }
        return told;
    }

    /** Why nobody answers there, if the row knows. */
    private Optional<Throwable> gone(Line line) {
        try {
            running(line.project(), line.id());
            return Optional.empty();
        } catch (Problem gone) {
            return Optional.of(gone);
        } catch (RuntimeException e) {
            LOG.debugf(e, "Whether session %s has ended cannot be read now", line.id());
            return Optional.empty();
        }
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
