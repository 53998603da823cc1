package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.OutputChannel;
import dev.holdfast.agent.ProcessEnd;
import dev.holdfast.agent.ProcessEvents;
import dev.holdfast.agent.ProcessRef;
import dev.holdfast.agent.ProcessStream;
import dev.holdfast.gateway.Departures;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.XnioExecutor;

/**
 * What a client sees of one process. The source is the agent's stream, the sink is the client's
 * answer; either can go first, a deadline can pass, and the sandbox can end. Whatever comes first
 * closes this, once; the process itself dies only of the deadline of the call that started it.
 */
final class CommandStream implements ProcessEvents {

    private static final int KILL = 9;

    private final Call call;
    private final CallTerms terms;
    private final boolean owns;
    private final EventStream answer;
    private final CompletableFuture<Long> started = new CompletableFuture<>();
    private final CompletableFuture<ProcessStream> source = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Departures.Registration departure;
    private final XnioExecutor.Key deadline;
    private volatile XnioExecutor.Key beat;
    private volatile long sentAt = System.nanoTime();

    /**
     * @param owns whether the deadline is the process's or only the stream's
     */
    CommandStream(Call call, CallTerms terms, boolean owns) {
        this.call = call;
        this.terms = terms;
        this.owns = owns;
        this.answer = new EventStream(call.exchange(), this::left, this::clientGone);
        this.deadline = terms.deadline().map(d -> after(d, this::late)).orElse(null);
        this.departure = call.visit().whenGone(this::sandboxGone);
        if (closed.get()) {
            // The deadline or the sandbox's end was quicker and found no registration yet.
            departure.close();
            removeTimers();
        }
    }

    /** Tells where the events come from; they may have begun to come. */
    void follows(ProcessStream stream) {
        source.complete(stream);
    }

    /** The answer, once the process has started; an answer that tells why not, otherwise. */
    CompletionStage<Response> response() {
        return started.handleAsync(
                (pid, failure) -> failure == null ? opened() : Answers.unopened(call, failure),
                call.worker());
    }

    private Response opened() {
        return Response.ok(answer, Answers.STREAM).build();
    }

    @Override
    public void onStarted(long pid) {
        if (!started.complete(pid)) {
            // The deadline passed or the sandbox ended meanwhile; nobody would know this process.
            letGo(pid);
            return;
        }
        answer.send(Envelope.message(ProcessMessages.started(pid)), 0);
        beat = after(terms.keepalive(), this::beat);
        if (closed.get()) {
            removeTimers();
        }
    }

    @Override
    public void onOutput(OutputChannel channel, ByteBuffer bytes) {
        int cost = bytes.remaining();
        answer.send(Envelope.message(ProcessMessages.output(channel, bytes)), cost);
    }

    @Override
    public void onEnd(ProcessEnd end) {
        answer.send(Envelope.message(ProcessMessages.ended(end)), 0);
        finish(Envelope.end());
    }

    @Override
    public void onError(AgentException failure) {
        if (started.completeExceptionally(failure)) {
            close();
        } else if (call.isSandboxGone()) {
            sandboxGone();
        } else {
            finish(Envelope.end(Failures.connect(failure)));
        }
    }

    private void left(int cost) {
        sentAt = System.nanoTime();
        source.thenAccept(stream -> stream.consumed(cost));
    }

    private void clientGone() {
        source.thenAccept(ProcessStream::detach);
        close();
    }

    private void sandboxGone() {
        ConnectError ended = ConnectError.sandboxEnded();
        if (!started.completeExceptionally(ended)) {
            answer.farewell(Envelope.end(ended));
        }
        close();
    }

    private void late() {
        ConnectError late =
                new ConnectError(ConnectCode.DEADLINE_EXCEEDED, "the call's timeout has passed");
        if (started.completeExceptionally(late)) {
            close();
        } else if (!closed.get()) {
            letGo(started.join());
            finish(Envelope.end(late));
        }
    }

    private void letGo(long pid) {
        if (owns) {
            call.agent().signalGroup(ProcessRef.pid(pid), KILL);
        }
        source.thenAccept(ProcessStream::detach);
    }

    /** Something must leave now and then: silent connections are taken for dead. */
    private void beat() {
        if (closed.get()) {
            return;
        }
        Duration silent = Duration.ofNanos(System.nanoTime() - sentAt);
        Duration left = terms.keepalive().minus(silent);
        if (left.isNegative() || left.isZero()) {
            answer.beat(Envelope.message(ProcessMessages.keepalive()));
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
