package dev.holdfast.envd;

import dev.holdfast.agent.FileBody;
import dev.holdfast.gateway.Departures;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A file on its way to a client: the next piece is asked of the sandbox when the former one has left.
 * The length is promised before the first byte, so whatever goes wrong later resets the connection.
 */
final class OutgoingFile {

    private final FileBody body;
    private final EventStream answer;
    private final Departures.Registration departure;

    private OutgoingFile(Call call, FileBody body) {
        this.body = body;
        this.answer = new EventStream(call.exchange(), cost -> next(), this::clientGone);
        this.departure = call.visit().whenGone(answer::reset);
    }

    static CompletionStage<Response> answer(Call call, String path, Optional<String> user) {
        FileBody body = call.agent().read(path, user);
        return body.length()
                .handleAsync(
                        (length, failure) ->
                                failure == null
                                        ? new OutgoingFile(call, body).response(path, length)
                                        : Answers.refusedRest(call, Failures.of(path, failure)),
                        call.worker());
    }

    private Response response(String path, long length) {
        next();
        return Response.ok(answer, MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, length)
                .header(HttpHeaders.CONTENT_DISPOSITION, ContentDisposition.attachment(path))
                // What a sandbox wrote must not run as a page of the host that hands it out.
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'")
                .build();
    }

    private void next() {
        body.next()
                .whenComplete(
                        (piece, failure) -> {
                            if (failure != null) {
                                answer.reset();
                            } else if (piece.isEmpty()) {
                                departure.close();
                                answer.finish(new byte[0]);
                            } else {
                                answer.send(bytes(piece.get()), piece.get().limit());
                            }
                        });
    }

    private void clientGone() {
        departure.close();
        body.cancel();
    }

    private static byte[] bytes(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        return bytes;
    }
}
