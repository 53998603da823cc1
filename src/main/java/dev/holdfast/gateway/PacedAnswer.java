package dev.holdfast.gateway;

import dev.holdfast.event.Errand;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bytes on their way to a client at its own pace: pieces are asked for as former ones leave, and no
 * thread waits. What goes wrong on the way resets the connection.
 */
public final class PacedAnswer {

    /** Where the bytes come from. */
    public interface Source {

        /**
         * The next piece, which may have no bytes, or nothing at the end. One question at a time.
         */
        CompletionStage<Optional<ByteBuffer>> next();

        /**
         * The rest is not wanted, also where nothing of it is sent, as to whoever asks for the
         * headers alone. Called once or more, also after the end.
         */
        void cancel();

        /** The same behind a piece that was asked for already; none: its end was told. */
        default Source behind(Optional<ByteBuffer> first) {
            return new Begun(first, this);
        }
    }

    private static final class Begun implements Source {

        private final Source rest;
        private Optional<ByteBuffer> first;

        private Begun(Optional<ByteBuffer> first, Source rest) {
            this.first = first;
            this.rest = rest;
        }

        @Override
        public CompletionStage<Optional<ByteBuffer>> next() {
            if (first.isEmpty()) {
                return rest.next();
            }
            Optional<ByteBuffer> piece = first;
            first = Optional.empty();
            return CompletableFuture.completedStage(piece);
        }

        @Override
        public void cancel() {
            rest.cancel();
        }
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
    }

    /** The answer, which has begun to ask. */
    public static EventStream of(HttpServerExchange exchange, Source source) {
        PacedAnswer paced = new PacedAnswer(exchange, source);
        paced.asking.run();
        return paced.answer;
    }

    /** What a piece has. */
    public static byte[] bytes(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        return bytes;
    }

    private void ask() {
        while (!asked && !complete && underWay.get() < WINDOW) {
            asked = true;
            next().whenComplete(this::came);
        }
    }

    /** What is refused at once, as where no thread is free, has failed like what fails later. */
    private CompletionStage<Optional<ByteBuffer>> next() {
        try {
            return source.next();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private void came(Optional<ByteBuffer> piece, Throwable failure) {
        if (failure != null) {
            complete = true;
            answer.reset();
        } else if (piece.isEmpty()) {
            complete = true;
            answer.finish(new byte[0]);
        } else if (piece.get().hasRemaining()) {
            byte[] bytes = bytes(piece.get());
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
