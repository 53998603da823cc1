package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A JSON text per line, out of pieces whose borders mean nothing. Each is read in its turn: many
 * that are short are far larger once they all are read.
 */
final class JsonLines {

    /** Takes what a line says. */
    interface Each {
        /**
         * @param cost how many bytes it came in, with its end
         */
        void told(Members line, int cost);
    }

    /** A buffer that has grown past this is not kept for the next line. */
    private static final int USUAL = 16 * 1024;

    private final Bound bound;
    private final Room room;
    private ByteArrayOutputStream part = new ByteArrayOutputStream();
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private int told;
    private int held;

    /**
     * @param room where the line that has begun is held, and the one that is told
     */
    JsonLines(Bound bound, Room room) {
        this.bound = bound;
        this.room = room;
    }

    /**
     * Tells the lines that a piece ends.
     *
     * @throws AgentException {@code too_large}; {@code channel_reset} for what is no JSON object
     */
    void read(ByteBuffer bytes, Each each) {
        feed(bytes);
        for (var line = next(); line.isPresent(); line = next()) {
            tell(line.get(), each);
        }
    }

    /** No more comes: the last line may have no end. */
    void finish(Each each) {
        if (part.size() > 0) {
            tell(taken(), each);
        }
    }

    /** The piece that {@link #next} goes on in, once it has come to the end of the former. */
    void feed(ByteBuffer bytes) {
        piece = bytes;
    }

    /** The next line that has an end; nothing where another piece is needed. */
    Optional<byte[]> next() {
        var end = piece.position();
        while (end < piece.limit() && piece.get(end) != '\n') {
            end++;
        }
        if (part.size() + end - piece.position() > bound.longest()) {
            throw AgentException.tooLarge("a line has more than " + bound.longest() + " bytes");
        }
        var more = new byte[end - piece.position()];
        piece.get(more);
        part.writeBytes(more);
        if (piece.hasRemaining()) {
            piece.get();
            return Optional.of(taken());
        }
        hold(part.size());
        return Optional.empty();
    }

    /** How much of a line has come that has no end yet. */
    int begun() {
        return part.size();
    }

    private byte[] taken() {
        if (++told > bound.entries()) {
            throw AgentException.tooLarge("more than " + bound.entries() + " lines");
        }
        var text = part.toByteArray();
        if (text.length > USUAL) {
            part = new ByteArrayOutputStream();
        } else {
            part.reset();
        }
        hold(0);
        return text;
    }

    private void hold(int bytes) {
        if (bytes > held) {
            room.take(bytes - held);
        } else {
            room.give(held - bytes);
        }
        held = bytes;
    }

    private void tell(byte[] text, Each each) {
        var weight = bound.weight(text);
        room.take(weight);
        try {
            each.told(Members.parse(text), text.length + 1);
        } finally {
            room.give(weight);
        }
    }
}
