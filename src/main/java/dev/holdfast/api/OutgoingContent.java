package dev.holdfast.api;

import dev.holdfast.contents.Content;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.gateway.Rounds;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bytes of a snapshot on their way to a client: pieces are asked for as former ones leave, and no
 * thread waits. What goes wrong on the way resets the connection.
 */
final class OutgoingContent {

    /** How much may wait for the client here. */
    private static final int WINDOW = 128 * 1024;

    private final Content content;
    private final EventStream answer;
    private final Rounds asking = new Rounds(this::ask);
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean complete;

    private OutgoingContent(HttpServerExchange exchange, Content content) {
        this.content = content;
        this.answer = new EventStream(exchange, this::left, this::gone);
        // Also where nothing of it is sent: whoever asks for the headers alone is done by then.
        exchange.addExchangeCompleteListener(
                (over, next) -> {
                    gone();
                    next.proceed();
                });
    }

    static EventStream of(HttpServerExchange exchange, Content content) {
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
