package dev.holdfast.gateway;

import dev.holdfast.access.Projects;
import dev.holdfast.event.Waits;
import dev.holdfast.hop.Peer;
import dev.holdfast.hop.Peers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Connects;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** The paused sandboxes that traffic wakes. */
@ApplicationScoped
class Sleepers {

    private static final Logger LOG = Logger.getLogger(Sleepers.class);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** What came of the attempt to wake a sandbox. */
    sealed interface Attempt {
        /** It runs on this node. */
        record Awake() implements Attempt {}

        /** It is on another node. */
        record Elsewhere(Peer peer) implements Attempt {}

        /** It is on another node, which does not answer. */
        record OutOfReach() implements Attempt {}

        /** Nothing is to be done: it is not asleep, or stands still and may yet go on. */
        record Untouched() implements Attempt {}

        /** It sleeps and traffic does not wake it, or it is over or never was. */
        record Gone() implements Attempt {}

        /** The request has not the token that wakes it. */
        record Refused() implements Attempt {}

        /** The request has the token of a sandbox whose project is closed. */
        record Closed(String why) implements Attempt {}

        record Failed(Problem problem) implements Attempt {}
    }

    /** What a request shows of itself; tokens are null where it has none. */
    record Knock(
            SandboxId sandbox,
            boolean envd,
            String accessToken,
            Optional<SignedFile> signed,
            String trafficToken) {}

    @Inject Clock clock;
    @Inject Connects connects;
    @Inject Peers peers;
    @Inject Projects projects;
    @Inject Sandboxes sandboxes;
    @Inject SandboxTokens tokens;
    @Resource ManagedExecutorService executor;

    /** Returns at once; looking the sandbox up takes a thread that may wait. */
    CompletionStage<Attempt> wake(Knock knock) {
        CompletableFuture<Attempt> attempt = new CompletableFuture<>();
        try {
            executor.execute(() -> wake(knock, attempt));
        } catch (RejectedExecutionException full) {
            attempt.complete(failed("the server has too much to do"));
        }
        return attempt;
    }

    private void wake(Knock knock, CompletableFuture<Attempt> attempt) {
        try {
            Optional<Sandbox> row = sandboxes.find(knock.sandbox());
            row.filter(sandbox -> mayWake(sandbox, knock))
                    .ifPresent(sandbox -> projects.requireOpen(sandbox.project()));
            Optional<Sandbox> found =
                    row.filter(sandbox -> sandbox.state() != SandboxState.ENDED)
                            .filter(Sandbox::wakesOnTraffic);
            Optional<Attempt> away =
                    row.filter(sandbox -> found.isEmpty() || runs(sandbox)).flatMap(this::away);
            if (away.isPresent()) {
                attempt.complete(away.get());
            } else if (found.isEmpty()) {
                attempt.complete(
                        row.filter(peers::isHere).filter(Sleepers::mayBeLive).isPresent()
                                ? new Attempt.Untouched()
                                : new Attempt.Gone());
            } else if (!mayWake(found.get(), knock)) {
                attempt.complete(new Attempt.Refused());
            } else {
                connects.wake(found.get())
                        .whenComplete(
                                (connected, failure) ->
                                        attempt.complete(
                                                failure == null
                                                        ? where(connected.sandbox())
                                                        : failed(failure)));
            }
        } catch (RuntimeException e) {
            attempt.complete(failed(e));
        }
    }

    private static boolean runs(Sandbox sandbox) {
        return SandboxQuery.RUNNING.contains(sandbox.state());
    }

    private Attempt where(Sandbox sandbox) {
        try {
            return away(sandbox).orElseGet(Attempt.Awake::new);
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    /** What comes of a request for one that has its machine on another node. */
    private Optional<Attempt> away(Sandbox sandbox) {
        Optional<Attempt> there = peers.of(sandbox).map(Attempt.Elsewhere::new);
        return there.isEmpty() && peers.isOutOfReach(sandbox)
                ? Optional.of(new Attempt.OutOfReach())
                : there;
    }

    /** Whoever goes on from a pause does so on another machine than the one that stood still. */
    private static boolean mayBeLive(Sandbox sandbox) {
        return switch (sandbox.state()) {
            case RUNNING, SNAPSHOTTING, PAUSING -> true;
            case STARTING, PAUSED, RESUMING, ENDED -> false;
        };
    }

    private boolean mayWake(Sandbox sandbox, Knock knock) {
        if (knock.envd()) {
            return !sandbox.isSecured()
                    || tokens.isAccess(sandbox.id(), knock.accessToken())
                    || knock.signed().filter(file -> isSigned(file, sandbox)).isPresent();
        }
        return sandbox.network().publicTraffic()
                || tokens.isTraffic(sandbox.id(), knock.trafficToken());
    }

    private boolean isSigned(SignedFile file, Sandbox sandbox) {
        return file.isSignedWith(tokens.access(sandbox.id())) && !file.isExpired(clock.instant());
    }

    private static Attempt failed(Throwable failure) {
        Throwable cause = Waits.cause(failure);
        Problem problem = Problem.of(cause);
        return switch (problem.reason()) {
            case PROJECT_CLOSED -> new Attempt.Closed(problem.getMessage());
            case INTERNAL_ERROR -> {
                LOG.warn("a sandbox could not be woken", cause);
                yield failed("the sandbox could not be woken; ask again later");
            }
            default -> new Attempt.Failed(problem);
        };
    }

    private static Attempt failed(String why) {
        return new Attempt.Failed(
                new Problem(Reason.TEMPORARILY_UNAVAILABLE, why).retryAfter(ASK_AGAIN));
    }
}
