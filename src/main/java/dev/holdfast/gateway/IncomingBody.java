package dev.holdfast.gateway;

import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A body that is read as it comes, at the pace of who takes it; between reads no thread waits.
 * Reading happens on the exchange's I/O thread only, where the container calls the listener, and
 * nothing is read while a piece is being taken.
 */
public final class IncomingBody implements ReadListener {

    private static final int PIECE = 256 * 1024;

    /** How long a client may send nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private final HttpServerExchange exchange;
    private final ServletInputStream input;
    private final Taker taker;
    private final String what;
    private final AsyncResponse response;
    private final byte[] piece = new byte[PIECE];
    private boolean taking;
    private boolean over;
    private long heardAt = System.nanoTime();

    private IncomingBody(
            HttpServerExchange exchange,
            ServletInputStream input,
            Taker taker,
            String what,
            AsyncResponse response) {
        this.exchange = exchange;
        this.input = input;
        this.taker = taker;
        this.what = what;
        this.response = response;
    }

    /** The same as {@link #receive}, for who waits for the disk. */
    public static void receive(
            Taker.Waiting taker, String what, ServletInputStream input, AsyncResponse response) {
        receive(taker.on(worker(current())), what, input, response);
    }

    /**
     * Begins to read, on the request's thread; answers in any case.
     *
     * @param what the body is, for people
     */
    public static void receive(
            Taker taker, String what, ServletInputStream input, AsyncResponse response) {
        HttpServerExchange exchange = current();
        Gateway.admit(exchange);
        IncomingBody body = new IncomingBody(exchange, input, taker, what, response);
        input.setReadListener(body);
        body.listen(SILENCE);
    }

    private static HttpServerExchange current() {
        return ServletRequestContext.requireCurrent().getExchange();
    }

    @Override
    public void onDataAvailable() throws IOException {
        read();
    }

    @Override
    public void onAllDataRead() throws IOException {
        read();
    }

    /** The client has left, or what it sent was no HTTP. */
    @Override
    public void onError(Throwable thrown) {
        refuse("the " + what + " did not arrive whole", broken());
    }

    private void read() throws IOException {
        if (taking || over) {
            return;
        }
        int length = 0;
        int more = 0;
        while (length < PIECE && more >= 0 && !input.isFinished() && input.isReady()) {
            more = input.read(piece, length, PIECE - length);
            length += Math.max(0, more);
        }
        if (length > 0) {
            heardAt = System.nanoTime();
            taking = true;
            behind(taker.take(ByteBuffer.wrap(piece, 0, length)), done -> taken());
        } else if (input.isFinished()) {
            over = true;
            behind(taker.complete(), answer -> answer(() -> response.resume(answer)));
        }
    }

    private void taken() {
        taking = false;
        try {
            read();
        } catch (IOException e) {
            onError(e);
        }
    }

    /** What follows belongs to the I/O thread again. */
    private <T> void behind(CompletionStage<T> step, Consumer<? super T> then) {
        step.whenComplete(
                (value, failure) ->
                        exchange.getIoThread()
                                .execute(
                                        () -> {
                                            if (failure == null) {
                                                then.accept(value);
                                            } else {
                                                failed(Waits.cause(failure));
                                            }
                                        }));
    }

    private void failed(Throwable failure) {
        Throwable cause = failure instanceof UncheckedIOException disk ? disk.getCause() : failure;
        over = false;
        refuse(
                cause instanceof Problem problem
                        ? problem.getMessage()
                        : "the server could not take the " + what,
                cause);
    }

    private void listen(Duration delay) {
        exchange.getIoThread().executeAfter(this::heard, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void heard() {
        if (over) {
            return;
        }
        Duration left = SILENCE.minusNanos(System.nanoTime() - heardAt);
        if (taking || left.toMillis() > 0) {
            listen(taking ? SILENCE : left.plusMillis(1));
        } else {
            refuse("nothing came for " + SILENCE.toSeconds() + " seconds", broken());
        }
    }

    private void refuse(String why, Throwable refusal) {
        if (over) {
            return;
        }
        over = true;
        Gateway.dismiss(exchange);
        answer(
                () -> {
                    try {
                        taker.abandon(why);
                    } finally {
                        response.resume(refusal);
                    }
                });
    }

    /** Answers are written by a thread that may wait for it. */
    private void answer(Runnable answering) {
        worker(exchange).execute(answering);
    }

    private static Executor worker(HttpServerExchange exchange) {
        return exchange.getConnection().getWorker();
    }

    private Problem broken() {
        return new Problem(
                Reason.INVALID_PARAMETER, "The " + what + " did not arrive whole. Send it again.");
    }
}
