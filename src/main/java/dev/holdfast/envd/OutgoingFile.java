package dev.holdfast.envd;

import dev.holdfast.agent.FileBody;
import dev.holdfast.gateway.Attachment;
import dev.holdfast.gateway.Departures;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.gateway.PacedAnswer;
import dev.holdfast.gateway.SandboxFile;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A file on its way to a client: pieces are asked of the sandbox as former ones leave. The length
 * is promised before the first byte, unless the content is compressed on the way; whatever goes
 * wrong later resets the connection.
 */
final class OutgoingFile {

    /** Smaller contents are sent as they are. */
    private static final int WORTH_COMPRESSING = 1024;

    private OutgoingFile() {}

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
        FileBody body = call.agent().read(path, user, 0, 0);
        return body.extent()
                .whenComplete((extent, failure) -> body.cancel())
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
        PacedAnswer.Source content = new SandboxFile(body);
        boolean worth = extent.length() >= WORTH_COMPRESSING || !terms.plain();
        if (!terms.gzip() || !worth) {
            return CompletableFuture.completedFuture(plain(call, path, content, extent));
        }
        // The first piece tells whether the content is worth it; noise only becomes longer.
        return body.next()
                .thenApply(
                        first ->
                                terms.plain() && !isHelped(first)
                                        ? plain(call, path, content.behind(first), extent)
                                        : compressed(call, path, content.behind(first)));
    }

    private static boolean isHelped(Optional<ByteBuffer> piece) {
        return GzipWriter.helps(piece.map(PacedAnswer::bytes).orElse(new byte[0]));
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
        EventStream answer = paced(call, new SandboxFile(body));
        return headers(Response.status(206).entity(answer), path)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .header("Content-Range", shown)
                .build();
    }

    private static Response plain(
            Call call, String path, PacedAnswer.Source content, FileBody.Extent extent) {
        return headers(Response.ok(paced(call, content)), path)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .build();
    }

    private static Response compressed(Call call, String path, PacedAnswer.Source content) {
        return headers(Response.ok(paced(call, new Gzipped(content))), path)
                .header(HttpHeaders.CONTENT_ENCODING, "gzip")
                .build();
    }

    /** Cut off when the sandbox ends. */
    private static EventStream paced(Call call, PacedAnswer.Source content) {
        EventStream answer = PacedAnswer.of(call.exchange(), content);
        Departures.Registration departure = call.visit().whenGone(answer::reset);
        answer.over().thenRun(departure::close);
        return answer;
    }

    private static Response.ResponseBuilder headers(Response.ResponseBuilder answer, String path) {
        return Attachment.of(answer, path)
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .header("Accept-Ranges", "bytes");
    }
}
