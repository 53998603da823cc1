package dev.holdfast.envd;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip that arrives in pieces (RFC 1952, several members in a row included). The
 * caller pulls: a small piece of input can be a large piece of output, and only as much is made as
 * is asked for.
 */
final class GzipReader implements AutoCloseable {

    private enum State {
        HEADER,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_SUM,
        BODY,
        TRAILER
    }

    private static final int FIXED = 10;
    private static final int HAS_SUM = 0x02;
    private static final int HAS_EXTRA = 0x04;
    private static final int HAS_NAME = 0x08;
    private static final int HAS_COMMENT = 0x10;
    private static final int RESERVED = 0xe0;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 sum = new CRC32();
    private final byte[] small = new byte[FIXED];

    private State state = State.HEADER;
    private int collected;
    private int flags;
    private int skip;
    private boolean any;
    private byte[] input = new byte[0];
    private int position;
    private int limit;

    /** Gives the next piece; only when {@link #read} has answered 0. The array is not copied. */
    void input(byte[] bytes, int offset, int length) {
        input = bytes;
        position = offset;
        limit = offset + length;
    }

    /** Decompressed bytes into the array; 0 when more input is needed. */
    int read(byte[] into) {
        try {
            while (true) {
                if (state == State.BODY) {
                    int made = inflate(into);
                    if (made > 0) {
                        return made;
                    }
                }
                if (state != State.BODY) {
                    if (position == limit) {
                        return 0;
                    }
                    step();
                } else if (position == limit) {
                    return 0;
                }
            }
        } catch (DataFormatException e) {
            throw broken();
        }
    }

    /** Says that nothing follows; refuses a stream that stops in its middle. */
    void end() {
        if (state != State.HEADER || collected != 0 || !any) {
            throw new RestError(400, "the gzip body ends too early");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }

    private int inflate(byte[] into) throws DataFormatException {
        if (inflater.needsInput()) {
            inflater.setInput(input, position, limit - position);
        }
        int made = inflater.inflate(into);
        sum.update(into, 0, made);
        position = limit - inflater.getRemaining();
        if (inflater.needsDictionary()) {
            throw broken();
        }
        if (inflater.finished()) {
            state = State.TRAILER;
            collected = 0;
        }
        return made;
    }

    private void step() {
        int next = input[position++] & 0xff;
        switch (state) {
            case HEADER -> header(next);
            case EXTRA_LENGTH -> extraLength(next);
            case EXTRA -> skipTo(HAS_EXTRA);
            case HEADER_SUM -> skipTo(HAS_SUM);
            case NAME -> zeroTerminated(next, HAS_NAME);
            case COMMENT -> zeroTerminated(next, HAS_COMMENT);
            case TRAILER -> trailer(next);
            case BODY -> throw new IllegalStateException("the body is inflated, not stepped");
        }
    }

    private void header(int next) {
        small[collected++] = (byte) next;
        if (collected < FIXED) {
            return;
        }
        flags = small[3] & 0xff;
        if ((small[0] & 0xff) != 0x1f
                || (small[1] & 0xff) != 0x8b
                || small[2] != 8
                || (flags & RESERVED) != 0) {
            throw broken();
        }
        any = true;
        after(0);
    }

    private void extraLength(int next) {
        small[collected++] = (byte) next;
        if (collected == 2) {
            skip = (small[0] & 0xff) | (small[1] & 0xff) << 8;
            if (skip == 0) {
                after(HAS_EXTRA);
            } else {
                state = State.EXTRA;
            }
        }
    }

    private void skipTo(int done) {
        if (--skip == 0) {
            after(done);
        }
    }

    private void zeroTerminated(int next, int done) {
        if (next == 0) {
            after(done);
        }
    }

    private void trailer(int next) {
        small[collected++] = (byte) next;
        if (collected < 8) {
            return;
        }
        if (little(0) != sum.getValue()
                || little(4) != (inflater.getBytesWritten() & 0xffffffffL)) {
            throw broken();
        }
        state = State.HEADER;
        collected = 0;
    }

    /** Goes to the first header field that is present and not yet behind us. */
    private void after(int done) {
        if (done != 0) {
            flags &= ~done;
        }
        collected = 0;
        if ((flags & HAS_EXTRA) != 0) {
            state = State.EXTRA_LENGTH;
        } else if ((flags & HAS_NAME) != 0) {
            state = State.NAME;
        } else if ((flags & HAS_COMMENT) != 0) {
            state = State.COMMENT;
        } else if ((flags & HAS_SUM) != 0) {
            state = State.HEADER_SUM;
            skip = 2;
        } else {
            state = State.BODY;
            inflater.reset();
            sum.reset();
        }
    }

    private long little(int at) {
        return (small[at] & 0xffL)
                | (small[at + 1] & 0xffL) << 8
                | (small[at + 2] & 0xffL) << 16
                | (small[at + 3] & 0xffL) << 24;
    }

    private static RestError broken() {
        return new RestError(400, "the body is not valid gzip");
    }
}
