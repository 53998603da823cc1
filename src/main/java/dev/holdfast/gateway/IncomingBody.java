package dev.holdfast.gateway;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A body that is read as it comes; between reads no thread waits. Reading happens on the exchange's
 * I/O thread only, where the container calls the listener; writing to the disk, which may take its
 * time, on another one, and nothing is read meanwhile.
 */
public final class IncomingBody implements ReadListener {

    /** Takes the body, by one thread at a time; may take its time. */
    public interface Taker {

        void take(byte[] bytes, int count) throws IOException;

        /** It is there whole; what is answered. */
        Object complete() throws IOException;

        /** It will not be there whole. */
        void abandon(String why);
    }

    private static final int PIECE = 256 * 1024;

    /** How long a client may send nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private final HttpServerExchange exchange;
    private final ServletInputStream input;
    private final Taker taker;
    private final String what;
    private final AsyncResponse response;
    private final byte[] piece = new byte[PIECE];
    private boolean writing;
    private boolean over;
    private long heardAt = System.nanoTime();

    private Object answer;

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

    /**
     * Begins to read, on the request's thread; answers in any case.
     *
     * @param what the body is, for people
     */
    public static void receive(
            Taker taker, String what, ServletInputStream input, AsyncResponse response) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        Gateway.admit(exchange);
        IncomingBody body = new IncomingBody(exchange, input, taker, what, response);
        input.setReadListener(body);
        body.listen(SILENCE);
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
        if (writing || over) {
            return;
        }
        int length = 0;
        int more = 0;
        while (length < PIECE && more >= 0 && !input.isFinished() && input.isReady()) {
            more = input.read(piece, length, PIECE - length);
            length += Math.max(0, more);
        }
        if (length > 0) {
            int count = length;
            heardAt = System.nanoTime();
            writing = true;
            beside(() -> taker.take(piece, count), this::written);
        } else if (input.isFinished()) {
            over = true;
            beside(() -> answer = taker.complete(), () -> beside(() -> response.resume(answer)));
        }
    }

    private void written() {
        writing = false;
        try {
            read();
        } catch (IOException e) {
            onError(e);
        }
    }

    /** What waits for the disk; what follows it belongs to the I/O thread again. */
    private void beside(Step step, Runnable then) {
        exchange.getConnection()
                .getWorker()
                .execute(
                        () -> {
                            try {
                                step.run();
                                exchange.getIoThread().execute(then);
                            } catch (IOException | RuntimeException e) {
                                exchange.getIoThread().execute(() -> failed(e));
                            }
                        });
    }

    private void failed(Exception e) {
        over = false;
        refuse(
                e instanceof Problem problem
                        ? problem.getMessage()
                        : "the server could not take the " + what,
                e);
    }

    private void listen(Duration delay) {
        exchange.getIoThread().executeAfter(this::heard, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void heard() {
        if (over) {
            return;
        }
        Duration left = SILENCE.minusNanos(System.nanoTime() - heardAt);
        if (writing || left.toMillis() > 0) {
            listen(writing ? SILENCE : left.plusMillis(1));
        } else {
            refuse("nothing came for " + SILENCE.toSeconds() + " seconds", broken());
        }
    }

    private void refuse(String why, Exception refusal) {
        if (over) {
            return;
        }
        over = true;
        Gateway.dismiss(exchange);
        beside(
                () -> {
                    try {
                        taker.abandon(why);
                    } finally {
                        response.resume(refusal);
                    }
                });
    }

    /** Answers are written by a thread that may wait for it. */
    private void beside(Runnable answering) {
        exchange.getConnection().getWorker().execute(answering);
    }

    private Problem broken() {
        return new Problem(
                Reason.INVALID_PARAMETER, "The " + what + " did not arrive whole. Send it again.");
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
