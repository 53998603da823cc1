package dev.holdfast.contents;

import dev.holdfast.access.Actor;
import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.GuestBody;
import dev.holdfast.agent.GuestPath;
import dev.holdfast.agent.Probe;
import dev.holdfast.event.Waits;
import dev.holdfast.peek.Peek;
import dev.holdfast.peek.Peeks;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.worker.LivePeek;
import dev.holdfast.worker.PeekMachines;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is in a snapshot, read out of a peek of it. */
@ApplicationScoped
public class Contents {

    /** Long enough for a large image on a busy worker. */
    private static final Duration OPENING = Duration.ofSeconds(120);

    /** For the first words of an answer. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** One that is closed in the moment it is found is opened anew. */
    private static final int TRIES = 2;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    @Inject Clock clock;
    @Inject ContentsConfig config;
    @Inject Openings openings;
    @Inject PeekMachines machines;
    @Inject Peeks peeks;
    @Inject Waits waits;
    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;

    /**
     * A path and, of a directory, its next entries.
     *
     * @param after the name behind which they begin, as {@link Directory#next} gave it; null for
     *     the first
     * @param limit none: only the path itself, its own link not followed
     */
    public CompletionStage<Directory> list(
            Actor actor,
            Optional<String> slug,
            String reference,
            AskedPath path,
            String after,
            int limit) {
        Optional<GuestPath> behind = AskedPath.name(after);
        return looking(actor, slug, reference)
                .thenCompose(
                        peek ->
                                using(
                                                peek,
                                                probe ->
                                                        probe.look(
                                                                path.path(),
                                                                limit > 0,
                                                                behind,
                                                                limit))
                                        .whenComplete((l, failure) -> peek.looked(clock.instant())))
                .thenApply(Directory::of);
    }

    /**
     * A regular file; an offset below zero counts from the end.
     *
     * @param ifTag the part only if it is of what has this {@link Content#tag()}, else all
     */
    public CompletionStage<Content> read(
            Actor actor,
            Optional<String> slug,
            String reference,
            AskedPath path,
            long offset,
            Optional<Long> length,
            Optional<String> ifTag) {
        return stream(
                actor,
                slug,
                reference,
                path,
                (tag, probe) ->
                        ifTag.isEmpty() || ifTag.get().equals(tag)
                                ? probe.read(path.path(), offset, length, config.largest())
                                : probe.read(path.path(), 0, Optional.empty(), config.largest()));
    }

    /** A file or directory with all that is in it, as a tar archive. */
    public CompletionStage<Content> archive(
            Actor actor, Optional<String> slug, String reference, AskedPath path) {
        return stream(
                actor,
                slug,
                reference,
                path,
                (tag, probe) -> probe.archive(path.path(), config.largest(), config.entries()));
    }

    /** The peek of a snapshot for a comparison; it stays until it is left. */
    CompletionStage<LivePeek> open(ProjectId project, SnapshotId snapshot, String worker) {
        return open(() -> openings.of(project, snapshot, worker), TRIES);
    }

    /** A peek through which one more look may go, until {@link LivePeek#looked}. */
    private CompletionStage<LivePeek> looking(
            Actor actor, Optional<String> slug, String reference) {
        return open(() -> openings.of(actor, slug, reference), TRIES)
                .thenApply(
                        peek -> {
                            if (peek.look()) {
                                return peek;
                            }
                            peek.leave(clock.instant());
                            throw new Problem(
                                            Reason.WORKER_BUSY,
                                            "As many look into this snapshot as may at once: %d. Ask again later."
                                                    .formatted(LivePeek.MOST_LOOKS))
                                    .retryAfter(ASK_AGAIN);
                        });
    }

    private CompletionStage<LivePeek> open(Supplier<UUID> asking, int tries) {
        UUID id = asking.get();
        Optional<LivePeek> here = machines.find(id).filter(LivePeek::enter);
        if (here.isPresent()) {
            return CompletableFuture.completedStage(here.get());
        }
        return waits.until(Peek.subject(id), () -> settled(id), OPENING)
                .handleAsync((peek, failure) -> entered(peek, failure), executor)
                .thenCompose(
                        entered ->
                                entered.isPresent() || tries == 0
                                        ? CompletableFuture.completedStage(
                                                entered.orElseThrow(Contents::elsewhere))
                                        : open(asking, tries - 1));
    }

    /** Present once there is nothing to wait for: inside it is what became of it. */
    private Optional<Optional<Peek>> settled(UUID id) {
        Optional<Peek> row = peeks.find(id);
        return row.filter(peek -> peek.state() == Peek.State.OPENING).isPresent()
                ? Optional.empty()
                : Optional.of(row);
    }

    /** Empty where it has gone again: whoever comes in that moment asks once more. */
    private Optional<LivePeek> entered(Optional<Peek> row, Throwable failure) {
        if (failure != null) {
            throw Refusals.of(failure);
        }
        row.flatMap(Peek::problem)
                .ifPresent(
                        problem -> {
                            throw problem;
                        });
        return row.flatMap(peek -> machines.find(peek.id())).filter(LivePeek::enter);
    }

    private static Problem elsewhere() {
        return new Problem(
                        Reason.CONTENTS_UNAVAILABLE,
                        "The snapshot is shown by another worker, or was closed again. Ask again.")
                .retryAfter(ASK_AGAIN);
    }

    private CompletionStage<Content> stream(
            Actor actor,
            Optional<String> slug,
            String reference,
            AskedPath path,
            BiFunction<String, Probe, CompletionStage<GuestBody>> asking) {
        return looking(actor, slug, reference).thenCompose(peek -> stream(peek, path, asking));
    }

    private CompletionStage<Content> stream(
            LivePeek peek,
            AskedPath path,
            BiFunction<String, Probe, CompletionStage<GuestBody>> asking) {
        String tag = Content.tag(peek.snapshot(), path);
        return using(peek, probe -> asking.apply(tag, probe))
                .whenComplete(
                        (body, failure) -> {
                            if (failure != null) {
                                peek.looked(clock.instant());
                            }
                        })
                .thenApply(body -> new Content(tag, body, () -> peek.looked(clock.instant())));
    }

    /** An agent that does not answer is not waited for, and what it has begun is ended. */
    private <T> CompletionStage<T> using(
            LivePeek peek, Function<Probe, CompletionStage<T>> asking) {
        CompletionStage<T> begun = begun(peek, asking);
        ScheduledFuture<?> end =
                scheduler.schedule(
                        () ->
                                begun.toCompletableFuture()
                                        .completeExceptionally(new TimeoutException()),
                        ANSWER.toMillis(),
                        TimeUnit.MILLISECONDS);
        return begun.handleAsync(
                (value, failure) -> {
                    end.cancel(false);
                    if (failure != null) {
                        throw Refusals.of(failure);
                    }
                    return value;
                },
                executor);
    }

    private static <T> CompletionStage<T> begun(
            LivePeek peek, Function<Probe, CompletionStage<T>> asking) {
        try {
            return asking.apply(peek.probe());
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
