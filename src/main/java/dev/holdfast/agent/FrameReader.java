package dev.holdfast.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Finds frames in what was read. What is no frame is skipped from its second byte on, never from
 * its claimed end: a false header must not swallow a true one.
 */
final class FrameReader {

    private final ByteBuffer buffer = ByteBuffer.allocate(4 * Frame.FILLER).flip();
    private long skipped;

    /** Reads once; there is always room, because every whole frame is taken out before. */
    int readFrom(ReadableByteChannel channel) throws IOException {
        buffer.compact();
        try {
            return channel.read(buffer);
        } finally {
            buffer.flip();
        }
    }

    /** Bytes that belonged to no frame, the zeros of fillers not counted. */
    long skipped() {
        return skipped;
    }

    /**
     * The next whole frame, or null when more must be read. Its payload is the caller's to keep.
     */
    Frame next() {
        while (buffer.remaining() >= Frame.HEADER) {
            if (isHeader()) {
                var length = buffer.getInt(buffer.position() + 14);
                if (buffer.remaining() < Frame.HEADER + length) {
                    return null;
                }
                var frame = taken(length);
                if (frame != null) {
                    return frame;
                }
            }
            skip();
        }
        return null;
    }

    private boolean isHeader() {
        var at = buffer.position();
        if (buffer.getInt(at) != Frame.MAGIC) {
            return false;
        }
        var kind = buffer.get(at + 4) & 0xFF;
        var length = buffer.getInt(at + 14);
        return kind >> 4 == Frame.FORMAT
                && Frame.Kind.of(kind & 15) != null
                && length >= 0
                && length <= Frame.MAX_PAYLOAD
                && buffer.getInt(at + 22) == Frame.crc(buffer, at, at + 22);
    }

    private Frame taken(int length) {
        var at = buffer.position();
        var body = at + Frame.HEADER;
        if (buffer.getInt(at + 18) != Frame.crc(buffer, body, body + length)) {
            return null;
        }
        var payload = new byte[length];
        buffer.get(body, payload);
        buffer.position(body + length);
        return new Frame(
                Frame.Kind.of(buffer.get(at + 4) & 15),
                buffer.get(at + 5),
                buffer.getInt(at + 6),
                buffer.getInt(at + 10),
                ByteBuffer.wrap(payload).asReadOnlyBuffer());
    }

    private void skip() {
        do {
            if (buffer.get() != 0) {
                skipped++;
            }
        } while (buffer.remaining() >= Frame.HEADER
                && buffer.getInt(buffer.position()) != Frame.MAGIC);
    }
}
