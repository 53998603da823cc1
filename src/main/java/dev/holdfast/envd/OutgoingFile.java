package dev.holdfast.envd;

import dev.holdfast.agent.FileBody;
import dev.holdfast.gateway.Departures;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file on its way to a client: pieces are asked of the sandbox as former ones leave. The length
 * is promised before the first byte, so whatever goes wrong later resets the connection.
 */
final class OutgoingFile {

    /** How much may wait for the client here. */
    private static final int WINDOW = 128 * 1024;

    private final FileBody body;
    private final EventStream answer;
    private final Departures.Registration departure;
    private final AtomicInteger visits = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean complete;

    private OutgoingFile(Call call, FileBody body) {
        this.body = body;
        this.answer = new EventStream(call.exchange(), this::left, this::clientGone);
        this.departure = call.visit().whenGone(answer::reset);
    }

    static CompletionStage<Response> answer(Call call, String path, Optional<String> user) {
        FileBody body = call.agent().read(path, user);
        return body.extent()
                .handleAsync(
                        (extent, failure) ->
                                failure == null
                                        ? new OutgoingFile(call, body)
                                                .response(path, extent.length())
                                        : Answers.refusedRest(call, Failures.of(path, failure)),
                        call.worker());
    }

    private Response response(String path, long length) {
        ask();
        return Response.ok(answer, MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, length)
                .header(HttpHeaders.CONTENT_DISPOSITION, ContentDisposition.attachment(path))
                // What a sandbox wrote must not run as a page of the host that hands it out.
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'")
                .build();
    }

    /**
     * Asks for pieces while few are on their way to the client. Everything that could ask again
     * comes through here, and finds the loop running; so nothing calls itself without bound when
     * pieces come and leave at once.
     */
    private void ask() {
        if (visits.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            while (!asked && !complete && underWay.get() < WINDOW) {
                asked = true;
                body.next().whenComplete(this::came);
            }
            seen = visits.addAndGet(-seen);
        } while (seen != 0);
    }

    private void came(Optional<ByteBuffer> piece, Throwable failure) {
        if (failure != null) {
            complete = true;
            answer.reset();
        } else if (piece.isEmpty()) {
            complete = true;
            departure.close();
            answer.finish(new byte[0]);
        } else {
            byte[] bytes = bytes(piece.get());
            underWay.addAndGet(bytes.length);
            answer.send(bytes, bytes.length);
        }
        asked = false;
        ask();
    }

    private void left(int bytes) {
        underWay.addAndGet(-bytes);
        ask();
    }

    private void clientGone() {
        complete = true;
        departure.close();
        body.cancel();
    }

    private static byte[] bytes(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        return bytes;
    }
}
