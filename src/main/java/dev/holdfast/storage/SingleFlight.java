package dev.holdfast.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/**
 * Work on one key is done by one thread at a time; whoever asks meanwhile waits for that thread and
 * shares its outcome. A failure is shared too but not remembered: the next one to ask tries anew.
 * Only a worker's own interruption is not its followers' affair: one of them takes over.
 */
final class SingleFlight<K> {

    /** The work of a flight. */
    interface Work {
        void run() throws IOException;
    }

    private final ConcurrentMap<K, CompletableFuture<Void>> flights = new ConcurrentHashMap<>();

    void run(K key, Work work) throws IOException {
        boolean done = false;
        while (!done) {
            CompletableFuture<Void> own = new CompletableFuture<>();
            CompletableFuture<Void> other = flights.putIfAbsent(key, own);
            if (other == null) {
                lead(key, own, work);
                done = true;
            } else {
                done = follow(other);
            }
        }
    }

    private void lead(K key, CompletableFuture<Void> flight, Work work) throws IOException {
        Throwable outcome = null;
        try {
            work.run();
        } catch (Throwable failure) {
            outcome = failure;
            throw failure;
        } finally {
            flights.remove(key, flight);
            if (outcome == null) {
                flight.complete(null);
            } else {
                flight.completeExceptionally(outcome);
            }
        }
    }

    private static boolean follow(CompletableFuture<Void> flight) throws IOException {
        try {
            flight.get();
            return true;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof ClosedByInterruptException
                    || cause instanceof InterruptedIOException) {
                return false;
            }
            if (cause instanceof IOException failure) {
                throw failure;
            }
            throw new IOException("the work that this call waited for failed", cause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for another's work");
        }
    }
}
