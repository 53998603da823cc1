package dev.holdfast.api;

import dev.holdfast.build.Incoming;
import dev.holdfast.gateway.Gateway;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * An archive that is read as it comes; between reads no thread waits. Reading happens on the
 * exchange's I/O thread only, where the container calls the listener; writing to the disk, which
 * may take its time, on another one, and nothing is read meanwhile.
 */
final class TemplateUpload implements ReadListener {

    private static final int PIECE = 256 * 1024;

    /** How long a client may send nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private final HttpServerExchange exchange;
    private final ServletInputStream input;
    private final Incoming incoming;
    private final AsyncResponse response;
    private final Response accepted;
    private final byte[] piece = new byte[PIECE];
    private boolean writing;
    private boolean over;
    private long heardAt = System.nanoTime();

    private TemplateUpload(
            HttpServerExchange exchange,
            ServletInputStream input,
            Incoming incoming,
            AsyncResponse response,
            Response accepted) {
        this.exchange = exchange;
        this.input = input;
        this.incoming = incoming;
        this.response = response;
        this.accepted = accepted;
    }

    /** Begins to read, on the request's thread; answers in any case. */
    static void receive(
            Incoming incoming,
            ServletInputStream input,
            AsyncResponse response,
            Response accepted) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        Gateway.admit(exchange);
        TemplateUpload upload = new TemplateUpload(exchange, input, incoming, response, accepted);
        input.setReadListener(upload);
        upload.listen(SILENCE);
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
        refuse("the archive did not arrive whole", broken());
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
            beside(() -> incoming.take(piece, count), this::written);
        } else if (input.isFinished()) {
            over = true;
            beside(incoming::complete, () -> answer(() -> response.resume(accepted)));
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
                        : "the server could not take the archive",
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

    private void refuse(String why, Exception answer) {
        if (over) {
            return;
        }
        over = true;
        Gateway.dismiss(exchange);
        answer(
                () -> {
                    incoming.abandon(why);
                    response.resume(answer);
                });
    }

    /** Answers are written by a thread that may wait for it. */
    private void answer(Runnable answer) {
        exchange.getConnection().getWorker().execute(answer);
    }

    private static Problem broken() {
        return new Problem(
                Reason.INVALID_PARAMETER, "The archive did not arrive whole. Send it again.");
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
