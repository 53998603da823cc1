package dev.holdfast.agent;

import jakarta.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Keeps what code says while it runs. Gives credit back at once, or only when told to. */
final class Executed implements ExecutionEvents {

    private final List<ExecutionEvent> events = new ArrayList<>();
    private final CompletableFuture<ContextId> accepted = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<ExecutionStream> stream = new CompletableFuture<>();
    private final boolean greedy;
    private long held;

    Executed(boolean greedy) {
        this.greedy = greedy;
    }

    Executed of(ExecutionStream followed) {
        stream.complete(followed);
        return this;
    }

    @Override
    public void onAccepted(ContextId context) {
        accepted.complete(context);
    }

    @Override
    public void onEvent(ExecutionEvent event, int cost) {
        synchronized (this) {
            events.add(event);
            notifyAll();
            if (!greedy) {
                held += cost;
                return;
            }
        }
        stream.join().consumed(cost);
    }

    @Override
    public void onEnd() {
        ended.complete(null);
    }

    @Override
    public void onError(AgentException failure) {
        accepted.completeExceptionally(failure);
        ended.completeExceptionally(failure);
    }

    ExecutionStream stream() {
        return stream.join();
    }

    synchronized long held() {
        return held;
    }

    void giveBack() {
        long back;
        synchronized (this) {
            back = held;
            held = 0;
        }
        stream.join().consumed((int) back);
    }

    Executed awaitEnd() throws Exception {
        ended.get(30, TimeUnit.SECONDS);
        return this;
    }

    boolean isOver() {
        return ended.isDone();
    }

    synchronized void awaitOutput(String text) throws InterruptedException {
        var until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!text(OutputChannel.STDOUT).contains(text)) {
            if (System.nanoTime() > until) {
                throw new AssertionError("no '" + text + "' in " + events);
            }
            wait(100);
        }
    }

    synchronized List<ExecutionEvent> events() {
        return List.copyOf(events);
    }

    String text(OutputChannel channel) {
        var text = new StringBuilder();
        for (var event : events()) {
            if (event instanceof ExecutionEvent.Output output && output.channel() == channel) {
                text.append(output.text());
            }
        }
        return text.toString();
    }

    /** The text of the main result. */
    String value() {
        for (var event : events()) {
            if (event instanceof ExecutionEvent.Result result && result.main()) {
                return ((JsonString) result.formats().get("text")).getString();
            }
        }
        return null;
    }

    ExecutionEvent.Failed failure() {
        for (var event : events()) {
            if (event instanceof ExecutionEvent.Failed failed) {
                return failed;
            }
        }
        return null;
    }
}
