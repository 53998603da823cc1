package dev.holdfast.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of agents, on threads that may block. */
final class Awaited {

    /** The stages have limits of their own; this one is only for a stage that never ends. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private Awaited() {}

    static <T> T of(CompletionStage<T> stage, Duration limit) throws IOException {
        try {
            return stage.toCompletableFuture()
                    .get(limit.plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the sandbox's agent did not do what it was asked", e);
        } catch (TimeoutException e) {
            throw new IOException("the sandbox's agent does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
