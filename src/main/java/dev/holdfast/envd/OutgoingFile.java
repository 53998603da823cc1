package dev.holdfast.envd;

import dev.holdfast.agent.FileBody;
import dev.holdfast.event.Errand;
import dev.holdfast.gateway.Departures;
import dev.holdfast.gateway.EventStream;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file on its way to a client: pieces are asked of the sandbox as former ones leave. The length
 * is promised before the first byte, unless the content is compressed on the way; whatever goes
 * wrong later resets the connection.
 */
final class OutgoingFile {

    /** How much may wait for the client here. */
    private static final int WINDOW = 128 * 1024;

    /** Smaller contents are sent as they are. */
    private static final int WORTH_COMPRESSING = 1024;

    private final FileBody body;
    private final GzipWriter gzip;
    private final EventStream answer;
    private final Departures.Registration departure;
    private final Errand asking = new Errand(this::ask);
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean complete;

    private OutgoingFile(Call call, FileBody body, boolean compressed) {
        this.body = body;
        this.gzip = compressed ? new GzipWriter() : null;
        this.answer = new EventStream(call.exchange(), this::left, this::clientGone);
        this.departure = call.visit().whenGone(answer::reset);
    }

    static CompletionStage<Response> answer(
            Call call, String path, Optional<String> user, ReadTerms terms) {
        FileBody body =
                terms.range()
                        .map(r -> call.agent().read(path, user, r.offset(), r.length()))
                        .orElseGet(() -> call.agent().read(path, user));
        return body.extent()
                .thenCompose(extent -> begin(call, path, body, extent, terms))
                .handleAsync(
                        (response, failure) ->
                                failure == null
                                        ? response
                                        : Answers.refusedRest(call, Failures.of(path, failure)),
                        call.worker());
    }

    /** What {@link #answer} would say, without the content. */
    static CompletionStage<Response> head(Call call, String path, Optional<String> user) {
        return call.agent()
                .read(path, user, 0, 0)
                .extent()
                .handleAsync(
                        (extent, failure) ->
                                failure == null
                                        ? headers(Response.ok(), path)
                                                .header(HttpHeaders.CONTENT_LENGTH, extent.size())
                                                .build()
                                        : Answers.refusedRest(call, Failures.of(path, failure)),
                        call.worker());
    }

    private static CompletionStage<Response> begin(
            Call call, String path, FileBody body, FileBody.Extent extent, ReadTerms terms) {
        if (terms.range().isPresent()) {
            return CompletableFuture.completedFuture(
                    part(call, path, body, extent, terms.range().get()));
        }
        boolean worth = extent.length() >= WORTH_COMPRESSING || !terms.plain();
        if (!terms.gzip() || !worth) {
            return CompletableFuture.completedFuture(
                    new OutgoingFile(call, body, false).plain(path, extent, Optional.empty()));
        }
        // The first piece tells whether the content is worth it; noise only becomes longer.
        return body.next()
                .thenApply(
                        first ->
                                terms.plain() && !GzipWriter.helps(bytes(first))
                                        ? new OutgoingFile(call, body, false)
                                                .plain(path, extent, first)
                                        : new OutgoingFile(call, body, true)
                                                .compressed(path, first));
    }

    private static Response part(
            Call call, String path, FileBody body, FileBody.Extent extent, ByteRange range) {
        if (extent.length() == 0) {
            body.cancel();
            RestError none = new RestError(416, "the file has no such part");
            Response answer = Answers.json(none.status(), none.json());
            answer.getHeaders().putSingle("Content-Range", "bytes */" + extent.size());
            return answer;
        }
        long start = range.start(extent.size());
        String shown = "bytes " + start + "-" + (start + extent.length() - 1) + "/" + extent.size();
        OutgoingFile file = new OutgoingFile(call, body, false);
        file.asking.run();
        return headers(Response.status(206).entity(file.answer), path)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .header("Content-Range", shown)
                .build();
    }

    private Response plain(String path, FileBody.Extent extent, Optional<ByteBuffer> first) {
        first.ifPresent(this::send);
        asking.run();
        return headers(Response.ok(answer), path)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .build();
    }

    private Response compressed(String path, Optional<ByteBuffer> first) {
        first.ifPresent(this::send);
        asking.run();
        return headers(Response.ok(answer), path)
                .header(HttpHeaders.CONTENT_ENCODING, "gzip")
                .build();
    }

    private static Response.ResponseBuilder headers(Response.ResponseBuilder answer, String path) {
        return answer.type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .header("Accept-Ranges", "bytes")
                .header(HttpHeaders.CONTENT_DISPOSITION, ContentDisposition.attachment(path))
                // What a sandbox wrote must not run as a page of the host that hands it out.
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    /** Asks for pieces while few are on their way to the client. */
    private void ask() {
        while (!asked && !complete && underWay.get() < WINDOW) {
            asked = true;
            body.next().whenComplete(this::came);
        }
    }

    private void came(Optional<ByteBuffer> piece, Throwable failure) {
        if (failure != null) {
            complete = true;
            answer.reset();
        } else if (piece.isEmpty()) {
            complete = true;
            departure.close();
            answer.finish(gzip == null ? new byte[0] : gzip.finish());
        } else {
            send(piece.get());
        }
        asked = false;
        asking.run();
    }

    private void send(ByteBuffer piece) {
        byte[] bytes = bytes(piece);
        byte[] sent = gzip == null ? bytes : gzip.write(bytes);
        // The compressor often keeps all of a piece; then nothing is on its way.
        if (sent.length > 0) {
            underWay.addAndGet(sent.length);
            answer.send(sent, sent.length);
        }
    }

    private void left(int bytes) {
        underWay.addAndGet(-bytes);
        asking.run();
    }

    private void clientGone() {
        complete = true;
        departure.close();
        body.cancel();
    }

    private static byte[] bytes(Optional<ByteBuffer> piece) {
        return piece.map(OutgoingFile::bytes).orElse(new byte[0]);
    }

    private static byte[] bytes(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        return bytes;
    }
}
