package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** One frame of the channel; the format is told in the package documentation. */
record Frame(Kind kind, int flags, int stream, int sequence, ByteBuffer payload) {

    static final int MAGIC = 0xFE48461A;
    static final int FORMAT = 1;
    static final int HEADER = 26;
    static final int MAX_PAYLOAD = 32 * 1024;
    static final int MAX_BODY = MAX_PAYLOAD - 1;
    static final int MAX_JSON = 1024 * 1024;
    static final int WINDOW = 256 * 1024;
    static final int FILLER = HEADER + MAX_PAYLOAD;

    /** The JSON goes on in the next frame of this kind and stream. */
    static final int MORE = 1;

    /** No data follows on this stream in this direction. */
    static final int LAST = 2;

    static final int NO_CHANNEL = -1;

    /** The order is the number on the wire, starting at 1. */
    enum Kind {
        HELLO,
        HELLO_ACK,
        REQUEST,
        ACCEPT,
        DATA,
        END,
        ERROR,
        CREDIT,
        CANCEL,
        QUIESCE,
        QUIESCED,
        RESUME,
        PING,
        PONG;

        private static final Kind[] ALL = values();

        /** Null where the number means nothing. */
        static Kind of(int number) {
            return number < 1 || number > ALL.length ? null : ALL[number - 1];
        }
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /**
     * Appends a frame whose payload is the body, behind a byte that names its sub-channel unless
     * there is none.
     */
    static void put(
            ByteBuffer out,
            Kind kind,
            int flags,
            int stream,
            int sequence,
            int channel,
            ByteBuffer body) {
        var start = out.position();
        out.position(start + HEADER);
        if (channel != NO_CHANNEL) {
            out.put((byte) channel);
        }
        out.put(body);
        var end = out.position();
        var length = end - start - HEADER;
        if (length > MAX_PAYLOAD) {
            throw new IllegalArgumentException("payload of " + length + " bytes");
        }
        out.position(start);
        out.putInt(MAGIC).put((byte) (FORMAT << 4 | kind.ordinal() + 1)).put((byte) flags);
        out.putInt(stream).putInt(sequence).putInt(length).putInt(crc(out, start + HEADER, end));
        out.putInt(crc(out, start, start + HEADER - 4));
        out.position(end);
    }

    static int crc(ByteBuffer bytes, int from, int to) {
        var crc = new CRC32();
        crc.update(bytes.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
