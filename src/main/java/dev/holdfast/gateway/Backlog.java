package dev.holdfast.gateway;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What an {@link EventStream} has not sent yet, under its lock. All of it is counted in the {@link
 * WaitingRoom}, also what is being written, until that has left.
 */
final class Backlog {

    /** What goes out at once, and what it cost its source. */
    record Batch(byte[] bytes, int cost) {}

    private record Piece(byte[] bytes, int cost) {}

    private static final int BATCH = 64 * 1024;

    private final EventStream stream;
    private final WaitingRoom room;
    private final Deque<Piece> pending = new ArrayDeque<>();
    private long bytes;
    private long pendingWeight;
    private long underWay;

    Backlog(EventStream stream, WaitingRoom room) {
        this.stream = stream;
        this.room = room;
    }

    private static long weight(byte[] piece) {
        return piece.length + WaitingRoom.PIECE;
    }

    void add(byte[] piece, int cost) {
        pending.add(new Piece(piece, cost));
        bytes += piece.length;
        pendingWeight += weight(piece);
        room.add(weight(piece));
        room.enter(stream);
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Of what has not been begun. */
    long bytes() {
        return bytes;
    }

    long weight() {
        return pendingWeight + underWay;
    }

    /** Whether what is being written is more than leaves in a moment. */
    boolean isLargeUnderWay() {
        return underWay > 2 * BATCH;
    }

    Batch next() {
        int cost = 0;
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        while (!pending.isEmpty() && joined.size() < BATCH) {
            Piece piece = pending.poll();
            joined.writeBytes(piece.bytes);
            bytes -= piece.bytes.length;
            pendingWeight -= weight(piece.bytes);
            underWay += weight(piece.bytes);
            cost += piece.cost;
        }
        return new Batch(joined.toByteArray(), cost);
    }

    /** The batch has left. */
    void left() {
        room.remove(underWay);
        underWay = 0;
        if (pending.isEmpty()) {
            room.leave(stream);
        }
    }

    /** What has not been begun is not sent. */
    void drop() {
        pending.clear();
        room.remove(pendingWeight);
        pendingWeight = 0;
        bytes = 0;
    }

    /** Nothing is sent any more. */
    void clear() {
        drop();
        left();
    }
}
