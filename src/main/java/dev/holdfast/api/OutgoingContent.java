package dev.holdfast.api;

import dev.holdfast.contents.Content;
import dev.holdfast.gateway.EventStream;
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
    private final AtomicInteger visits = new AtomicInteger();
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
        outgoing.ask();
        return outgoing.answer;
    }

    /** Whatever could ask again finds the loop running, so that nothing calls itself for ever. */
    private void ask() {
        if (visits.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            while (!asked && !complete && underWay.get() < WINDOW) {
                asked = true;
                content.next().whenComplete(this::came);
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
            answer.finish(new byte[0]);
        } else {
            byte[] bytes = new byte[piece.get().remaining()];
            piece.get().duplicate().get(bytes);
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

    private void gone() {
        complete = true;
        content.cancel();
    }
}
