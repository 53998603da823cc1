package dev.holdfast.storage;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * Counts and digests what is read through it, and refuses to read past a limit. Like {@link Tally}
 * it does not close the stream behind it.
 */
final class MeteredInput extends InputStream {

    private final InputStream source;
    private final long limit;
    private final MessageDigest digest = Sha256.newDigest();
    private long length;

    MeteredInput(InputStream source, long limit) {
        this.source = source;
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        int got = source.read(bytes, offset, count);
        if (got > limit - length) {
            throw new Tally.OverflowException();
        }
        if (got > 0) {
            digest.update(bytes, offset, got);
            length += got;
        }
        return got;
    }

    /** Reads what a decoder had no use for: it belongs to the object's digest all the same. */
    void drain() throws IOException {
        byte[] rest = new byte[8192];
        int got;
        do {
            got = read(rest, 0, rest.length);
        } while (got >= 0);
    }

    long length() {
        return length;
    }

    /** Ends the count: to be asked once. */
    Sha256 digest() {
        return Sha256.finish(digest);
    }
}
