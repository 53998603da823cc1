package dev.holdfast.workbench;

import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.Upload;
import dev.holdfast.event.Waits;
import dev.holdfast.gateway.Gateway;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A file on its way into a session. The next bytes are read when the sandbox has taken the former
 * ones; between reads no thread waits. Reading happens on the exchange's I/O thread only, where the
 * container calls the listener.
 */
final class IncomingFile implements ReadListener {

    private static final int PIECE = 64 * 1024;

    /** How long a browser may send nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private final String path;
    private final Upload<FileEntry> upload;
    private final HttpServerExchange exchange;
    private final ServletInputStream input;
    private final AsyncResponse response;
    private final byte[] piece = new byte[PIECE];
    private boolean sending;
    private boolean over;
    private long heardAt = System.nanoTime();

    private IncomingFile(
            String path,
            Upload<FileEntry> upload,
            HttpServerExchange exchange,
            ServletInputStream input,
            AsyncResponse response) {
        this.path = path;
        this.upload = upload;
        this.exchange = exchange;
        this.input = input;
        this.response = response;
    }

    /** Begins to read, on the request's thread; answers in any case. */
    static void receive(
            String path,
            Supplier<Upload<FileEntry>> upload,
            HttpServerExchange exchange,
            ServletInputStream input,
            AsyncResponse response) {
        Gateway.admit(exchange);
        IncomingFile file = new IncomingFile(path, upload.get(), exchange, input, response);
        input.setReadListener(file);
        file.listen(SILENCE);
    }

    @Override
    public void onDataAvailable() throws IOException {
        read();
    }

    @Override
    public void onAllDataRead() throws IOException {
        read();
    }

    /** The browser has left, or what it sent was no HTTP. */
    @Override
    public void onError(Throwable thrown) {
        refuse(broken());
    }

    private void read() throws IOException {
        if (sending || over) {
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
            sending = true;
            upload.send(ByteBuffer.wrap(piece, 0, length))
                    .whenComplete((sent, failure) -> inTurn(() -> sent(failure)));
        } else if (input.isFinished()) {
            over = true;
            upload.finish()
                    .whenComplete(
                            (entry, failure) ->
                                    answer(
                                            failure == null
                                                    ? Response.noContent().build()
                                                    : AgentProblems.file(
                                                            path, Waits.cause(failure))));
        }
    }

    private void sent(Throwable failure) {
        sending = false;
        if (failure != null) {
            // A refused piece says only that it is over; why, the result knows.
            upload.result()
                    .whenComplete(
                            (entry, why) ->
                                    inTurn(
                                            () ->
                                                    refuse(
                                                            AgentProblems.file(
                                                                    path,
                                                                    Waits.cause(
                                                                            why == null
                                                                                    ? failure
                                                                                    : why)))));
            return;
        }
        try {
            read();
        } catch (IOException e) {
            onError(e);
        }
    }

    private void inTurn(Runnable step) {
        exchange.getIoThread().execute(step);
    }

    private void listen(Duration delay) {
        exchange.getIoThread().executeAfter(this::heard, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void heard() {
        if (over) {
            return;
        }
        Duration left = SILENCE.minusNanos(System.nanoTime() - heardAt);
        if (sending || left.toMillis() > 0) {
            listen(sending ? SILENCE : left.plusMillis(1));
        } else {
            refuse(broken());
        }
    }

    private void refuse(Throwable why) {
        if (over) {
            return;
        }
        over = true;
        upload.cancel();
        Gateway.dismiss(exchange);
        answer(why);
    }

    /** Answers are written by a thread that may wait for it. */
    private void answer(Object answer) {
        exchange.getConnection()
                .getWorker()
                .execute(
                        () -> {
                            if (answer instanceof Throwable failure) {
                                response.resume(failure);
                            } else {
                                response.resume(answer);
                            }
                        });
    }

    private static Problem broken() {
        return new Problem(
                Reason.INVALID_PARAMETER, "The file did not arrive whole. Send it again.");
    }
}
