package dev.holdfast.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Takes the body of a request, a piece after the other; nothing is read until one is taken. */
public interface Taker {

    /** Completes when the buffer may be used again. */
    CompletionStage<?> take(ByteBuffer bytes);

    /** It is there whole; completes with what is answered. */
    CompletionStage<?> complete();

    /** It will not be there whole, also where one of the others has failed. */
    void abandon(String why);

    /** One that waits, as for the disk, by one thread at a time. */
    interface Waiting {

        void take(byte[] bytes, int count) throws IOException;

        Object complete() throws IOException;

        void abandon(String why);

        /** On threads that may wait. */
        default Taker on(Executor threads) {
            return new Beside(this, threads);
        }
    }

    /** The same, and nobody waits for it. */
    record Beside(Waiting taker, Executor threads) implements Taker {

        private interface Step {
            Object run() throws IOException;
        }

        @Override
        public CompletionStage<?> take(ByteBuffer bytes) {
            return run(
                    () -> {
                        taker.take(bytes.array(), bytes.remaining());
                        return null;
                    });
        }

        @Override
        public CompletionStage<?> complete() {
            return run(taker::complete);
        }

        @Override
        public void abandon(String why) {
            taker.abandon(why);
        }

        private CompletionStage<?> run(Step step) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return step.run();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    threads);
        }
    }
}
