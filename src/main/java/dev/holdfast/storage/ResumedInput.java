package dev.holdfast.storage;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The content of an object in a bucket. Where its transmission breaks off, it is asked for again
 * from there on, a bounded number of times, and only as long as it is the very same object.
 */
final class ResumedInput extends InputStream {

    /** Breaks that one reading outlives. */
    private static final int MOST = 8;

    private final Bucket bucket;
    private final String place;
    private final String etag;
    private final long length;
    private ResponseInputStream<GetObjectResponse> body;
    private long position;
    private int breaks;

    private ResumedInput(Bucket bucket, String place, ResponseInputStream<GetObjectResponse> body) {
        this.bucket = bucket;
        this.place = place;
        this.body = body;
        this.etag = body.response().eTag();
        this.length = body.response().contentLength();
    }

    static Optional<InputStream> open(Bucket bucket, String place) throws IOException {
        return bucket.get(place).map(body -> new ResumedInput(bucket, place, body));
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (position < length) {
            try {
                int got = body.read(bytes, offset, count);
                if (got < 0) {
                    throw new EOFException("ended after " + position + " of " + length + " bytes");
                }
                position += got;
                return got;
            } catch (IOException broken) {
                resume(broken);
            } catch (SdkException stopped) {
                throw BucketException.of(bucket.name(), stopped);
            }
        }
        return -1;
    }

    private void resume(IOException broken) throws IOException {
        body.abort();
        breaks++;
        if (breaks > MOST) {
            throw new BucketException(
                    bucket.name(),
                    BucketException.Reason.UNREACHABLE,
                    "a reading broke off " + breaks + " times",
                    broken);
        }
        body = bucket.get(place, etag, position);
        String range = String.valueOf(body.response().contentRange());
        if (!range.startsWith("bytes " + position + "-")) {
            body.abort();
            throw new BucketException(
                    bucket.name(),
                    BucketException.Reason.REFUSED,
                    "it does not answer from where a reading broke off",
                    broken);
        }
    }

    /** A connection is used again only if nothing of this object may still come over it. */
    @Override
    public void close() throws IOException {
        if (position == length) {
            body.close();
        } else {
            body.abort();
        }
    }
}
