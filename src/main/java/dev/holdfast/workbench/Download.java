package dev.holdfast.workbench;

import dev.holdfast.agent.FileBody;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.gateway.PacedAnswer;
import io.undertow.server.HttpServerExchange;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A file of a session on its way to a browser: an attachment, whatever is in it. */
final class Download implements PacedAnswer.Source {

    private final FileBody body;
    private Optional<ByteBuffer> first;
    private boolean begun;

    private Download(FileBody body, Optional<ByteBuffer> first) {
        this.body = body;
        this.first = first;
    }

    /**
     * @param first its first piece, which is there: so what cannot be read is refused and not cut
     */
    static Response of(
            HttpServerExchange exchange,
            String path,
            FileBody.Extent extent,
            Optional<ByteBuffer> first,
            FileBody body) {
        EventStream answer = PacedAnswer.of(exchange, new Download(body, first));
        return Response.ok(answer)
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .header(HttpHeaders.CONTENT_DISPOSITION, attachment(path))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                // What a sandbox wrote must not run as a page of the host that hands it out.
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'")
                .build();
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        if (begun) {
            return body.next();
        }
        begun = true;
        Optional<ByteBuffer> piece = first;
        first = Optional.empty();
        return CompletableFuture.completedStage(piece);
    }

    @Override
    public void cancel() {
        body.cancel();
    }

    private static String attachment(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        StringBuilder header = new StringBuilder("attachment; filename*=UTF-8''");
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (each & 0xff);
            if (letter < 128 && (Character.isLetterOrDigit(letter) || "-._".indexOf(letter) >= 0)) {
                header.append(letter);
            } else {
                header.append("%%%02X".formatted((int) letter));
            }
        }
        return header.toString();
    }
}
