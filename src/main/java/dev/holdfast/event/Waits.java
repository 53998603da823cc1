package dev.holdfast.event;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Lets requests wait for a state of a row without holding a thread. */
@ApplicationScoped
public class Waits {

    /** How often a waiter looks although nobody told it anything. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** How long no look may succeed before the waiter is told: longer than a database restarts. */
    private static final Duration BLIND = Duration.ofSeconds(30);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    private static final Logger LOG = Logger.getLogger(Waits.class);

    private final Duration blind;
    private volatile boolean stopping;
    private final ConcurrentMap<String, Set<Wait<?>>> waiting = new ConcurrentHashMap<>();

    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;

    public Waits() {
        this(BLIND);
    }

    /**
     * @param blind how long no look may succeed
     */
    Waits(Duration blind) {
        this.blind = blind;
    }

    /**
     * Waits until a look finds an answer. A look that fails is no answer unless it fails with a
     * {@link Problem}: the database may be away for a moment, and what is waited for goes on.
     *
     * @param subject whose events make it look again
     * @param look reads the state; empty means not yet; it runs on a managed thread, never twice at
     *     once
     * @param limit after it the stage fails with {@link TimeoutException}, or with {@code
     *     temporarily_unavailable} if the state cannot be read
     */
    public <T> CompletionStage<T> until(
            String subject, Supplier<Optional<T>> look, Duration limit) {
        Wait<T> wait = new Wait<>(look);
        if (stopping) {
            return CompletableFuture.failedStage(stopped());
        }
        waiting.compute(
                subject,
                (key, waits) -> {
                    Set<Wait<?>> set = waits == null ? ConcurrentHashMap.newKeySet() : waits;
                    set.add(wait);
                    return set;
                });
        wait.look();
        ScheduledFuture<?> ticks =
                scheduler.scheduleWithFixedDelay(
                        wait::look,
                        LOOK_AGAIN.toMillis(),
                        LOOK_AGAIN.toMillis(),
                        TimeUnit.MILLISECONDS);
        // Not orTimeout: whoever waits goes on where the answer comes from, and its one thread
        // belongs to no application.
        ScheduledFuture<?> end =
                scheduler.schedule(
                        wait.trail.around(wait::expire), limit.toMillis(), TimeUnit.MILLISECONDS);
        wait.answer.whenComplete(
                (answer, failure) -> {
                    ticks.cancel(false);
                    end.cancel(false);
                    waiting.computeIfPresent(
                            subject,
                            (key, waits) -> {
                                waits.remove(wait);
                                return waits.isEmpty() ? null : waits;
                            });
                });
        return wait.answer;
    }

    /** What made a stage fail, also where the stages behind it have wrapped it up. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /** Whether a wait failed because its limit had passed. */
    public static boolean ranOut(Throwable failure) {
        return cause(failure) instanceof TimeoutException;
    }

    /** Nobody is kept waiting from now on: those who wait are told so, and can ask elsewhere. */
    void stop() {
        stopping = true;
        waiting.values().forEach(waits -> waits.forEach(Wait::letGo));
    }

    private static Problem stopped() {
        return new Problem(
                        Reason.SERVER_STOPPING,
                        "The server is being stopped. What was asked for was accepted, and its"
                                + " state tells what became of it: look at that before you ask for"
                                + " it again.")
                .retryAfter(ASK_AGAIN);
    }

    void signal(String subject) {
        waiting.getOrDefault(subject, Set.of()).forEach(Wait::look);
    }

    private final class Wait<T> {

        private final Supplier<Optional<T>> look;

        /** Whoever makes it look, it does so for the one who waits. */
        private final Trail trail = Trail.here();

        private final CompletableFuture<T> answer = new CompletableFuture<>();

        private final Errand errand = new Errand(this::lookOnce);

        /** Since when no look has succeeded; empty when the last one has. */
        private volatile Optional<Long> blindSince = Optional.empty();

        Wait(Supplier<Optional<T>> look) {
            this.look = look;
        }

        void look() {
            if (!answer.isDone()) {
                // Without a thread the next tick is another try.
                errand.ask(task -> executor.execute(trail.around(task)));
            }
        }

        private void lookOnce() {
            if (answer.isDone()) {
                return;
            }
            try {
                look.get().ifPresent(answer::complete);
                blindSince = Optional.empty();
            } catch (Problem told) {
                answer.completeExceptionally(told);
            } catch (RuntimeException e) {
                missed(e);
            }
        }

        private void missed(RuntimeException e) {
            long now = System.nanoTime();
            long since = blindSince.orElse(now);
            blindSince = Optional.of(since);
            if (now - since >= blind.toNanos()) {
                LOG.warnf(e, "What somebody waits for cannot be read");
                answer.completeExceptionally(unavailable());
            } else {
                LOG.debugf(e, "What somebody waits for is read again");
            }
        }

        void letGo() {
            try (Trail.Scope scope = trail.open()) {
                answer.completeExceptionally(stopped());
            }
        }

        void expire() {
            answer.completeExceptionally(
                    blindSince.isPresent() ? unavailable() : new TimeoutException());
        }

        private Problem unavailable() {
            return new Problem(
                            Reason.TEMPORARILY_UNAVAILABLE,
                            "What was asked for may go on, but how far it is cannot be read at the"
                                    + " moment. Look at its state before you ask for it again.")
                    .retryAfter(ASK_AGAIN);
        }
    }
}
