package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ContextId;
import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.ExecutionEvents;
import dev.holdfast.agent.ExecutionStream;
import dev.holdfast.gateway.Departures;
import dev.holdfast.gateway.EventStream;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.XnioExecutor;

/**
 * What a client sees of code that runs. A client that leaves interrupts it. Code, client and
 * sandbox may each go first; whoever does closes this, once.
 */
final class ExecutionAnswer implements ExecutionEvents {

    private static final MediaType LINES = new MediaType("application", "x-ndjson");

    /** A client that has left is noticed with the second beat after it. */
    private static final Duration BEAT = Duration.ofSeconds(2);

    private final Call call;
    private final Clock clock;
    private final Runnable over;
    private final EventStream answer;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<ExecutionStream> code = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Departures.Registration departure;
    private volatile XnioExecutor.Key beat;
    private volatile long saidAt = System.nanoTime();

    /**
     * @param over is run once, when this is closed
     */
    ExecutionAnswer(Call call, Clock clock, Runnable over) {
        this.call = call;
        this.clock = clock;
        this.over = over;
        this.answer =
                new EventStream(
                        call.exchange(),
                        this::left,
                        this::clientGone,
                        ExecutionMessages.readerTooSlow(clock.instant()));
        this.departure = call.visit().whenGone(this::sandboxGone);
        if (closed.get()) {
            // The sandbox's end was quicker and found no registration yet.
            departure.close();
        }
    }

    /** Tells where the events come from; they may have begun to come. */
    void follows(ExecutionStream stream) {
        code.complete(stream);
    }

    /** The answer, once the code was taken; one that tells why not, otherwise. */
    CompletionStage<Response> response() {
        return started.handleAsync(
                (taken, failure) ->
                        failure == null
                                ? Response.ok(answer, LINES).build()
                                : Answers.refusedText(call, failure),
                call.worker());
    }

    @Override
    public void onAccepted(ContextId context) {
        if (started.complete(null)) {
            beat = later(BEAT);
            if (closed.get()) {
                beat.remove();
            }
        } else {
            code.thenAccept(ExecutionStream::cancel);
        }
    }

    @Override
    public void onEvent(ExecutionEvent event, int cost) {
        saidAt = System.nanoTime();
        answer.send(ExecutionMessages.line(event, clock.instant()), cost);
    }

    @Override
    public void onEnd() {
        answer.finish(ExecutionMessages.end());
        close();
    }

    /** The status is told by now, and the clients know no other way to hear of a failure. */
    @Override
    public void onError(AgentException failure) {
        started.completeExceptionally(failure);
        if (started.isCompletedExceptionally()) {
            close();
        } else if (call.isSandboxGone()) {
            sandboxGone();
        } else {
            var words = Failures.rest(failure).getMessage();
            onEvent(new ExecutionEvent.Failed("InterpreterUnavailable", words, words), 0);
            onEnd();
        }
    }

    private void left(int cost) {
        code.thenAccept(stream -> stream.consumed(cost));
    }

    private void clientGone() {
        code.thenAccept(ExecutionStream::cancel);
        close();
    }

    /** By a reset, after which clients ask whether the sandbox still runs. */
    private void sandboxGone() {
        started.completeExceptionally(ConnectError.sandboxEnded());
        if (!started.isCompletedExceptionally()) {
            answer.reset();
        }
        close();
    }

    private void beat() {
        if (closed.get()) {
            return;
        }
        Duration left = BEAT.minusNanos(System.nanoTime() - saidAt);
        if (left.isNegative() || left.isZero()) {
            answer.beat(ExecutionMessages.keepalive());
            left = BEAT;
        }
        beat = later(left);
    }

    private XnioExecutor.Key later(Duration delay) {
        return call.exchange()
                .getIoThread()
                .executeAfter(this::beat, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void close() {
        if (closed.compareAndSet(false, true)) {
            if (departure != null) {
                departure.close();
            }
            XnioExecutor.Key pending = beat;
            if (pending != null) {
                pending.remove();
            }
            over.run();
        }
    }
}
