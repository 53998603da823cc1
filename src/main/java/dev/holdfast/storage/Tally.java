package dev.holdfast.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * Counts and digests what flows through it. It never closes the stream behind it: its owner decides
 * what the end of the data means.
 */
final class Tally extends OutputStream {

    private final OutputStream next;
    private final long limit;
    private final MessageDigest digest = Sha256.newDigest();
    private long length;

    private Tally(OutputStream next, long limit) {
        this.next = next;
        this.limit = limit;
    }

    static Tally into(OutputStream next) {
        return new Tally(next, Long.MAX_VALUE);
    }

    /** Refuses the first byte past the limit, before it is digested or written. */
    static Tally into(OutputStream next, long limit) {
        return new Tally(next, limit);
    }

    static Tally discarding() {
        return into(OutputStream.nullOutputStream());
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (count > limit - length) {
            throw new OverflowException();
        }
        digest.update(bytes, offset, count);
        next.write(bytes, offset, count);
        length += count;
    }

    @Override
    public void flush() throws IOException {
        next.flush();
    }

    long length() {
        return length;
    }

    /** Ends the tally: to be asked once. */
    Sha256 digest() {
        return Sha256.finish(digest);
    }

    /** More data than was promised. */
    static final class OverflowException extends IOException {
        private static final long serialVersionUID = 1L;

        OverflowException() {
            super("more data than promised");
        }
    }
}
