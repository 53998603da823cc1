package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What waits to be sent on a stream, under the channel's lock. */
final class Sendings {

    /** Bytes, and who waits for them to be on their way. */
    record Sending(ByteBuffer bytes, int size, boolean last, CompletableFuture<Void> sent) {}

    private static final int MOST_WAITING = 4 * 1024 * 1024;

    private final Deque<Sending> waiting = new ArrayDeque<>();
    private final Room room;

    /**
     * @param room of the sandbox
     */
    Sendings(Room room) {
        this.room = room.within(room.most());
    }

    /** False where there is no room. One that is larger than may wait goes alone. */
    boolean add(ByteBuffer bytes, boolean last, CompletableFuture<Void> sent) {
        var size = bytes.remaining();
        if (room.used() > 0 && room.used() + size > MOST_WAITING) {
            return false;
        }
        try {
            room.take(size);
        } catch (AgentException full) {
            return false;
        }
        waiting.add(new Sending(bytes.duplicate(), size, last, sent));
        return true;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    Sending first() {
        return waiting.element();
    }

    /** The first is on its way. */
    void left() {
        room.give(waiting.remove().size());
    }

    /** No more is sent; those who wait for it. */
    List<Sending> close() {
        var left = List.copyOf(waiting);
        waiting.clear();
        room.close();
        return left;
    }
}
