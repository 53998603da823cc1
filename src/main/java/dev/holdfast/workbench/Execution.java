package dev.holdfast.workbench;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ContextId;
import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.ExecutionEvents;
import dev.holdfast.agent.ExecutionStream;
import dev.holdfast.event.Waits;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import jakarta.json.JsonObject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a browser sees of code that runs. A browser that leaves does not end the code: it runs on,
 * and what it says is dropped, as {@code Interrupt} is the word for the other wish.
 *
 * <p>The sandbox is given credit for what has left for the browser, so its pace is the browser's.
 */
final class Execution implements ExecutionEvents {

    static final String TYPE = "application/x-ndjson";

    private static final Duration BEAT = Duration.ofSeconds(10);

    private final HttpServerExchange exchange;
    private final EventStream answer;
    private final ExecutionLines lines = new ExecutionLines();
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final CompletableFuture<ExecutionStream> source = new CompletableFuture<>();

    /** What was lent and has neither left nor was given back. */
    private final AtomicInteger underWay = new AtomicInteger();

    private volatile boolean over;
    private volatile boolean alone;

    Execution(HttpServerExchange exchange) {
        this.exchange = exchange;
        this.answer =
                new EventStream(exchange, this::left, this::gone, bytes(lines.lost(tooSlow())));
    }

    private static Problem tooSlow() {
        return new Problem(
                Reason.READER_TOO_SLOW,
                "More output waited for this page than is kept. The code runs on; write what it"
                        + " says to a file to keep all of it.");
    }

    /** Tells where the events come from; they may have begun to come. */
    void follows(ExecutionStream stream) {
        source.complete(stream);
    }

    /** The answer, once the code was taken; a refusal otherwise. */
    CompletionStage<Response> response() {
        return accepted.handleAsync(
                (taken, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(AgentProblems.cause(Waits.cause(failure)));
                    }
                    return Response.ok(answer, TYPE)
                            .header(HttpHeaders.CACHE_CONTROL, "no-store")
                            .header("X-Content-Type-Options", "nosniff")
                            .build();
                },
                exchange.getConnection().getWorker());
    }

    @Override
    public void onAccepted(ContextId context) {
        send(lines.accepted(context.value()), 0);
        accepted.complete(null);
        beat();
    }

    @Override
    public void onEvent(ExecutionEvent event, int cost) {
        if (alone) {
            consumed(cost);
            return;
        }
        underWay.addAndGet(cost);
        lines.of(event).ifPresentOrElse(line -> send(line, cost), () -> left(cost));
        if (alone) {
            giveBack(); // it left meanwhile, and nobody else would
        }
    }

    @Override
    public void onEnd() {
        over = true;
        answer.finish(bytes(lines.end()));
    }

    @Override
    public void onError(AgentException failure) {
        over = true;
        if (!accepted.completeExceptionally(failure)) {
            answer.finish(bytes(lines.lost(AgentProblems.cause(failure))));
        }
    }

    private void send(JsonObject line, int cost) {
        answer.send(bytes(line), cost);
    }

    private static byte[] bytes(JsonObject line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** A sign of life, for whatever stands between; and how a browser that has left is noticed. */
    private void beat() {
        exchange.getIoThread()
                .executeAfter(
                        () -> {
                            if (!over && !alone) {
                                answer.beat(bytes(lines.alive()));
                                beat();
                            }
                        },
                        BEAT.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void left(int cost) {
        int before = underWay.getAndUpdate(now -> Math.max(0, now - cost));
        consumed(Math.min(cost, before));
    }

    /** What was on its way will not leave any more; the code is not to wait for it. */
    private void gone() {
        alone = true;
        giveBack();
    }

    private void giveBack() {
        consumed(underWay.getAndSet(0));
    }

    private void consumed(int cost) {
        if (cost > 0) {
            source.thenAccept(stream -> stream.consumed(cost));
        }
    }
}
