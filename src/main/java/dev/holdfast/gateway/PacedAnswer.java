package dev.holdfast.gateway;

import dev.holdfast.event.Errand;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bytes on their way to a client at its own pace: pieces are asked for as former ones leave, and no
 * thread waits. What goes wrong on the way resets the connection.
 */
public final class PacedAnswer {

    /** Where the bytes come from. */
    public interface Source {

        /** The next piece, or nothing at the end. One question at a time. */
        CompletionStage<Optional<ByteBuffer>> next();

        /** The rest is not wanted; called once or more, also after the end. */
        void cancel();
    }

    /** How much may wait for the client here. */
    private static final int WINDOW = 128 * 1024;

    private final Source source;
    private final EventStream answer;
    private final Errand asking = new Errand(this::ask);
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean complete;

    private PacedAnswer(HttpServerExchange exchange, Source source) {
        this.source = source;
        this.answer = new EventStream(exchange, this::left, this::gone);
        // Also where nothing of it is sent: whoever asks for the headers alone is done by then.
        exchange.addExchangeCompleteListener(
                (over, next) -> {
                    gone();
                    next.proceed();
                });
    }

    /** The answer, which has begun to ask. */
    public static EventStream of(HttpServerExchange exchange, Source source) {
        PacedAnswer paced = new PacedAnswer(exchange, source);
        paced.asking.run();
        return paced.answer;
    }

    private void ask() {
        while (!asked && !complete && underWay.get() < WINDOW) {
            asked = true;
            source.next().whenComplete(this::came);
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
        source.cancel();
    }
}
