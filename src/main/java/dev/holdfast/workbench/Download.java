package dev.holdfast.workbench;

import dev.holdfast.agent.FileBody;
import dev.holdfast.gateway.Attachment;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.gateway.PacedAnswer;
import dev.holdfast.gateway.SandboxFile;
import io.undertow.server.HttpServerExchange;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A file of a session on its way to a browser: an attachment, whatever is in it. */
final class Download {

    private Download() {}

    /**
     * @param first its first piece, which is there: so what cannot be read is refused and not cut
     */
    static Response of(
            HttpServerExchange exchange,
            String path,
            FileBody.Extent extent,
            Optional<ByteBuffer> first,
            FileBody body) {
        EventStream answer = PacedAnswer.of(exchange, new SandboxFile(body).behind(first));
        return Attachment.of(Response.ok(answer), path)
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, extent.length())
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }
}
