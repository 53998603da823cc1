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

    /** Smaller ones are put together: each costs more than its bytes. */
    private static final int SMALL = 4 * 1024;

    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private final Room room;
    private CompletableFuture<Optional<ByteBuffer>> asked;
    private AgentException failure;
    private boolean over;
    private int lent;

    /**
     * @param room where they are held, also when their stream is over already
     */
    Pieces(Room room) {
        this.room = room;
    }

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
            room.give(former);
            back.accept(former);
        }
        answer();
        return answer;
    }

    /**
     * @throws AgentException {@code too_large} where there is no room
     */
    void add(ByteBuffer piece) {
        room.take(piece.remaining());
        synchronized (this) {
            var last = waiting.peekLast();
            if (last != null && last.remaining() + piece.remaining() <= SMALL) {
                waiting.removeLast();
                waiting.add(joined(last, piece));
            } else {
                waiting.add(piece);
            }
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

    /** Nobody asks any more: what waits is let go of. */
    void drop() {
        end(AgentException.unavailable("cancelled"));
        synchronized (this) {
            waiting.clear();
        }
        room.close();
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

    private static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
        var both = ByteBuffer.allocate(first.remaining() + second.remaining());
        return both.put(first.duplicate()).put(second.duplicate()).flip();
    }
}
