package dev.holdfast.gateway;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * What an answer says of bytes that a sandbox wrote; they go at the client's pace ({@link
 * PacedAnswer}).
 */
public final class OutgoingContent {

    /** Where they come from. */
    public interface Source extends PacedAnswer.Source {

        /** The last name of the file, for people. */
        String name();

        /** As an entity tag is written, with its quotes. */
        String tag();

        /** How much the whole file has. */
        long size();

        long offset();

        /** How many bytes come. */
        long length();
    }

    public static final String TAR = "application/x-tar";

    private OutgoingContent() {}

    public static Response archive(HttpServerExchange exchange, Source content) {
        return Attachment.of(
                        Response.ok(PacedAnswer.of(exchange, content)), content.name() + ".tar")
                .type(TAR)
                .build();
    }

    /**
     * A file, or the part of it that was asked for.
     *
     * @throws Problem {@code range_not_satisfiable}
     */
    public static Response file(HttpServerExchange exchange, Source content, ContentRange part) {
        if (!part.isAll() && content.length() == 0) {
            content.cancel();
            throw new Problem(
                            Reason.RANGE_NOT_SATISFIABLE,
                            "The file has %d bytes and no such part.".formatted(content.size()))
                    .with("size", content.size());
        }
        Response.ResponseBuilder answer =
                part.isAll()
                        ? Response.ok(PacedAnswer.of(exchange, content))
                        : Response.status(Response.Status.PARTIAL_CONTENT)
                                .entity(PacedAnswer.of(exchange, content))
                                .header("Content-Range", shown(content));
        return Attachment.of(answer, content.name())
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, content.length())
                .header(HttpHeaders.ETAG, content.tag())
                .header("Accept-Ranges", "bytes")
                .build();
    }

    private static String shown(Source content) {
        long last = content.offset() + content.length() - 1;
        return "bytes " + content.offset() + "-" + last + "/" + content.size();
    }
}
