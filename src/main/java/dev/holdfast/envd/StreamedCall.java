package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.gateway.Departures;
import dev.holdfast.gateway.EventStream;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.XnioExecutor;

/**
 * An answer of many messages about something that goes on in the sandbox. Its source can go first
 * or its client, a deadline can pass, and the sandbox can end. Whatever comes first closes this,
 * once.
 */
final class StreamedCall {

    /** Where the messages come from. */
    interface Source {

        /** So much of what it sent has left for the client. */
        void consumed(int cost);

        /** The client is not interested any more. */
        void leave();
    }

    private final Call call;
    private final CallTerms terms;
    private final byte[] keepalive;
    private final Runnable late;
    private final EventStream answer;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Source> source = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Departures.Registration departure;
    private final XnioExecutor.Key deadline;
    private volatile XnioExecutor.Key beat;
    private volatile long sentAt = System.nanoTime();

    /**
     * @param keepalive the message that says only that this is still open
     * @param late what else to do when the deadline passes after the beginning
     */
    StreamedCall(Call call, CallTerms terms, byte[] keepalive, Runnable late) {
        this.call = call;
        this.terms = terms;
        this.keepalive = keepalive;
        this.late = late;
        this.answer =
                new EventStream(
                        call.exchange(),
                        this::left,
                        this::clientGone,
                        Envelope.end(ConnectError.readerTooSlow()));
        this.deadline = terms.deadline().map(d -> after(d, this::late)).orElse(null);
        this.departure = call.visit().whenGone(this::sandboxGone);
        if (closed.get()) {
            // The deadline or the sandbox's end was quicker and found no registration yet.
            departure.close();
            removeTimers();
        }
    }

    /** Tells where the messages come from; they may have begun to come. */
    void follows(Source from) {
        source.complete(from);
    }

    /** The answer, once it has begun; an answer that tells why not, otherwise. */
    CompletionStage<Response> response() {
        return started.handleAsync(
                (begun, failure) ->
                        failure == null
                                ? Response.ok(answer, Answers.STREAM).build()
                                : Answers.unopened(call, failure),
                call.worker());
    }

    /**
     * Sends the first message; false when the deadline has passed or the sandbox has ended
     * meanwhile, so that nobody will ever know of what has begun.
     */
    boolean begin(byte[] message) {
        if (!started.complete(null)) {
            return false;
        }
        answer.send(Envelope.message(message), 0);
        beat = after(terms.keepalive(), this::beat);
        if (closed.get()) {
            removeTimers();
        }
        return true;
    }

    /** Sends a message whose cost the source hears of when it has left. */
    void send(byte[] message, int cost) {
        answer.send(Envelope.message(message), cost);
    }

    /** It went well and is over. */
    void end() {
        finish(Envelope.end());
    }

    void fail(AgentException failure) {
        if (isRefusedFor(failure)) {
            close();
        } else if (call.isSandboxGone()) {
            sandboxGone();
        } else {
            finish(Envelope.end(Failures.connect(failure)));
        }
    }

    void leave() {
        source.thenAccept(Source::leave);
    }

    private void left(int cost) {
        sentAt = System.nanoTime();
        source.thenAccept(from -> from.consumed(cost));
    }

    private void clientGone() {
        leave();
        close();
    }

    private void sandboxGone() {
        ConnectError ended = ConnectError.sandboxEnded();
        if (!isRefusedFor(ended)) {
            answer.farewell(Envelope.end(ended));
        }
        close();
    }

    private void late() {
        ConnectError passed =
                new ConnectError(ConnectCode.DEADLINE_EXCEEDED, "the call's timeout has passed");
        if (isRefusedFor(passed)) {
            close();
        } else if (!closed.get()) {
            // First, or the end that the kill brings about would be told in its place.
            finish(Envelope.end(passed));
            late.run();
            leave();
        }
    }

    /**
     * Whether the answer never begins, for this reason or one that came before. Then the refusal is
     * all there is to tell, and the connection may have gone on to another request.
     */
    private boolean isRefusedFor(Exception reason) {
        started.completeExceptionally(reason);
        return started.isCompletedExceptionally();
    }

    /** Something must leave now and then: silent connections are taken for dead. */
    private void beat() {
        if (closed.get()) {
            return;
        }
        Duration silent = Duration.ofNanos(System.nanoTime() - sentAt);
        Duration left = terms.keepalive().minus(silent);
        if (left.isNegative() || left.isZero()) {
            answer.beat(Envelope.message(keepalive));
            left = terms.keepalive();
        }
        beat = after(left, this::beat);
    }

    private void finish(byte[] last) {
        answer.finish(last);
        close();
    }

    private void close() {
        if (closed.compareAndSet(false, true)) {
            if (departure != null) {
                departure.close();
            }
            removeTimers();
        }
    }

    private void removeTimers() {
        if (deadline != null) {
            deadline.remove();
        }
        XnioExecutor.Key pending = beat;
        if (pending != null) {
            pending.remove();
        }
    }

    private XnioExecutor.Key after(Duration delay, Runnable action) {
        return call.exchange()
                .getIoThread()
                .executeAfter(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
