package dev.holdfast.gateway;

import dev.holdfast.event.Errand;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bytes that a sandbox wrote on their way to a client, and what the answer says of them: pieces are
 * asked for as former ones leave, and no thread waits. What goes wrong on the way resets the
 * connection.
 */
public final class OutgoingContent {

    /** Where they come from. */
    public interface Source {

        /** The last name of the file, for people. */
        String name();

        /** As an entity tag is written, with its quotes. */
        String tag();

        /** How much the whole file has. */
        long size();

        long offset();

        /** How many bytes come. */
        long length();

        /** The next piece, or nothing at the end. One question at a time. */
        CompletionStage<Optional<ByteBuffer>> next();

        /** The rest is not wanted. */
        void cancel();
    }

    public static final String TAR = "application/x-tar";

    /** How much may wait for the client here. */
    private static final int WINDOW = 128 * 1024;

    private final Source content;
    private final EventStream answer;
    private final Errand asking = new Errand(this::ask);
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean complete;

    private OutgoingContent(HttpServerExchange exchange, Source content) {
        this.content = content;
        this.answer = new EventStream(exchange, this::left, this::gone);
        // Also where nothing of it is sent: whoever asks for the headers alone is done by then.
        exchange.addExchangeCompleteListener(
                (over, next) -> {
                    gone();
                    next.proceed();
                });
    }

    public static Response archive(HttpServerExchange exchange, Source content) {
        return headers(Response.ok(of(exchange, content)), content.name() + ".tar")
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
                        ? Response.ok(of(exchange, content))
                        : Response.status(Response.Status.PARTIAL_CONTENT)
                                .entity(of(exchange, content))
                                .header("Content-Range", shown(content));
        return headers(answer, content.name())
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, content.length())
                .header(HttpHeaders.ETAG, content.tag())
                .header("Accept-Ranges", "bytes")
                .build();
    }

    /**
     * The same, all of it where the part was asked for of another file.
     *
     * @param ifTag what the part is of; empty: of whatever is there
     */
    public static Response file(
            HttpServerExchange exchange,
            Source content,
            ContentRange part,
            Optional<String> ifTag) {
        boolean another = ifTag.filter(tag -> !tag.equals(content.tag())).isPresent();
        return file(exchange, content, another ? ContentRange.ALL : part);
    }

    private static String shown(Source content) {
        long last = content.offset() + content.length() - 1;
        return "bytes " + content.offset() + "-" + last + "/" + content.size();
    }

    /** What was written in a sandbox must not run as a page of the host that hands it out. */
    private static Response.ResponseBuilder headers(Response.ResponseBuilder answer, String name) {
        return answer.header(HttpHeaders.CONTENT_DISPOSITION, attachment(name))
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    private static String attachment(String name) {
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

    private static EventStream of(HttpServerExchange exchange, Source content) {
        OutgoingContent outgoing = new OutgoingContent(exchange, content);
        outgoing.asking.run();
        return outgoing.answer;
    }

    private void ask() {
        while (!asked && !complete && underWay.get() < WINDOW) {
            asked = true;
            content.next().whenComplete(this::came);
        }
    }

    private void came(Optional<ByteBuffer> piece, Throwable failure) {
        if (failure != null) {
            complete = true;
            answer.reset();
        } else if (piece.isEmpty()) {
            complete = true;
            answer.finish(new byte[0]);
        } else {
            byte[] bytes = new byte[piece.get().remaining()];
            piece.get().duplicate().get(bytes);
            underWay.addAndGet(bytes.length);
            answer.send(bytes, bytes.length);
        }
        asked = false;
        asking.run();
    }

    private void left(int bytes) {
        underWay.addAndGet(-bytes);
        asking.run();
    }

    private void gone() {
        complete = true;
        content.cancel();
    }
}
