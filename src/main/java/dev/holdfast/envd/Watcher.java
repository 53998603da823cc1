package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.agent.FileEvent;
import dev.holdfast.agent.WatchEvents;
import dev.holdfast.agent.WatchStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Collects the events of one watched directory until they are asked for.
 *
 * <p>What is kept is bounded: while there is space the agent gets its credit back at once, then
 * only when the events are fetched. The agent keeps some more, and then ends the watch and says
 * that events were lost, which is the answer to the last question.
 */
final class Watcher implements WatchEvents {

    /** How long a question waits for what has happened so far; a capture takes less. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** An agent that answers no mark must not let the questions pile up here. */
    private static final int MOST_MARKS = 256;

    private final WatcherSpace space;
    private final Runnable told;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<WatchStream> source = new CompletableFuture<>();
    private final Deque<CompletableFuture<Void>> marks = new ArrayDeque<>();
    private List<FileEvent> events = new ArrayList<>();
    private long kept;
    private int owed;
    private boolean ended;
    private AgentException failure;
    private volatile long askedAt = System.nanoTime();

    /**
     * @param told is run when the end of the watch has been told
     */
    Watcher(WatcherSpace space, Runnable told) {
        this.space = space;
        this.told = told;
    }

    void follows(WatchStream watch) {
        source.complete(watch);
    }

    CompletableFuture<Void> started() {
        return started;
    }

    boolean isIdle(Duration limit) {
        return System.nanoTime() - askedAt > limit.toNanos();
    }

    void end() {
        source.thenAccept(WatchStream::close);
        synchronized (this) {
            ended = true;
        }
        take();
    }

    /** Everything that has happened since it was last asked for, until now. */
    CompletionStage<List<FileEvent>> fetch() {
        askedAt = System.nanoTime();
        CompletableFuture<Void> mark = new CompletableFuture<>();
        synchronized (this) {
            if (owed > 0 || failure != null || marks.size() >= MOST_MARKS) {
                mark.complete(null);
            } else {
                marks.add(mark);
                // Under the lock, so that marks come back in the order of those who wait for them.
                source.thenAccept(WatchStream::mark);
            }
        }
        return mark.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(until -> answer());
    }

    @Override
    public void onStarted() {
        started.complete(null);
    }

    @Override
    public void onEvent(FileEvent event, int cost) {
        List<CompletableFuture<Void>> waiting = List.of();
        long weight = WatcherSpace.weight(cost);
        WatcherSpace.Fit fit;
        synchronized (this) {
            if (ended || failure != null) {
                return; // on its way when the watch was closed; its space would never come back
            }
            fit = space.take(weight);
            if (fit != WatcherSpace.Fit.NONE) {
                events.add(event);
                kept += weight;
            }
            if (fit == WatcherSpace.Fit.TIGHT) {
                owed += cost;
                waiting = List.copyOf(marks);
            }
        }
        if (fit == WatcherSpace.Fit.NONE) {
            source.thenAccept(WatchStream::close);
            onError(
                    new AgentException(
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "events were lost: they were not asked for as fast as they came"));
        }
        if (fit == WatcherSpace.Fit.ROOM) {
            source.thenAccept(watch -> watch.consumed(cost));
        }
        // Behind what there is no room for no mark would come.
        waiting.forEach(mark -> mark.complete(null));
    }

    @Override
    public void onMark(int cost) {
        CompletableFuture<Void> mark;
        synchronized (this) {
            mark = marks.poll();
        }
        source.thenAccept(watch -> watch.consumed(cost));
        if (mark != null) {
            mark.complete(null);
        }
    }

    @Override
    public void onError(AgentException reason) {
        List<CompletableFuture<Void>> waiting;
        synchronized (this) {
            failure = reason;
            waiting = List.copyOf(marks);
            marks.clear();
        }
        waiting.forEach(mark -> mark.complete(null));
        if (started.completeExceptionally(reason)) {
            end(); // nobody has heard of it, so nobody asks for what it keeps
        }
    }

    private List<FileEvent> answer() {
        List<FileEvent> taken = take();
        AgentException reason;
        synchronized (this) {
            reason = failure;
        }
        if (taken.isEmpty() && reason != null) {
            told.run();
            throw reason;
        }
        return taken;
    }

    private List<FileEvent> take() {
        List<FileEvent> taken;
        int back;
        synchronized (this) {
            taken = events;
            events = new ArrayList<>();
            space.give(kept);
            kept = 0;
            back = owed;
            owed = 0;
        }
        if (back > 0) {
            source.thenAccept(watch -> watch.consumed(back));
        }
        return taken;
    }
}
