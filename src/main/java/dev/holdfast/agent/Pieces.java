package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/** Pieces of a stream that wait until they are asked for; how many is bounded by its credit. */
final class Pieces {

    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private CompletableFuture<Optional<ByteBuffer>> asked;
    private AgentException failure;
    private boolean over;
    private int lent;

    /**
     * The next piece, or nothing at the end. One question at a time.
     *
     * @param back is told how many bytes the former piece had, which is over with this
     */
    CompletionStage<Optional<ByteBuffer>> next(IntConsumer back) {
        int former;
        CompletableFuture<Optional<ByteBuffer>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (asked != null) {
                throw new IllegalStateException("the former piece has not come yet");
            }
            former = lent;
            lent = 0;
            asked = answer;
        }
        if (former > 0) {
            back.accept(former);
        }
        answer();
        return answer;
    }

    void add(ByteBuffer piece) {
        synchronized (this) {
            waiting.add(piece);
        }
        answer();
    }

    /**
     * No more comes; what came before is still told. Only the first end counts.
     *
     * @param reason null where it is a good one
     */
    void end(AgentException reason) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = reason;
        }
        answer();
    }

    synchronized boolean isOver() {
        return over;
    }

    private void answer() {
        CompletableFuture<Optional<ByteBuffer>> answer;
        Optional<ByteBuffer> piece;
        synchronized (this) {
            if (asked == null || waiting.isEmpty() && !over) {
                return;
            }
            answer = asked;
            asked = null;
            piece = Optional.ofNullable(waiting.poll());
            lent = piece.map(ByteBuffer::remaining).orElse(0);
        }
        // Nothing is left only once it is over, and then the reason stays.
        if (piece.isEmpty() && failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(piece);
        }
    }
}
