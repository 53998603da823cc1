package dev.holdfast.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * An object on its way into a bucket. What fits into one part is sent whole by the commit; of what
 * is larger, each full part is sent before the next is taken. So memory is one part, whatever the
 * length.
 */
final class S3Upload implements ObjectStore.Upload {

    /** What a bucket takes. */
    private static final int MOST_PARTS = 10_000;

    /** A delete may come between a refusal and the look at what is in the way; each loses once. */
    private static final int ATTEMPTS = 20;

    /** Where an object that was sent whole says what it is. */
    private static final String DIGEST = "sha256";

    private final Bucket bucket;
    private final ObjectKey key;
    private final String place;
    private final Clock clock;
    private final PartBuffer part;
    private final List<CompletedPart> sent = new ArrayList<>();
    private final Tally content = Tally.into(new Body());
    private String upload;

    S3Upload(Bucket bucket, ObjectKey key, Clock clock, int partSize) {
        this.bucket = bucket;
        this.key = key;
        this.place = bucket.place(key);
        this.clock = clock;
        this.part = new PartBuffer(partSize);
    }

    @Override
    public OutputStream body() {
        return content;
    }

    @Override
    public StoredObject commit() throws IOException {
        Sha256 digest = content.digest();
        if (upload != null) {
            send();
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Bucket.Outcome outcome = store(digest);
            if (outcome == Bucket.Outcome.STORED) {
                upload = null;
                return new StoredObject(key, content.length(), clock.instant());
            }
            Optional<HeadObjectResponse> there = bucket.head(place);
            if (there.isPresent()) {
                if (!isTheSame(there.get(), digest)) {
                    throw new ObjectConflictException(key);
                }
                return new StoredObject(key, content.length(), there.get().lastModified());
            }
            if (outcome == Bucket.Outcome.GONE) {
                throw new IOException("the upload of " + key + " is not in progress any more");
            }
        }
        throw new IOException(key + " came and went " + ATTEMPTS + " times");
    }

    private Bucket.Outcome store(Sha256 digest) throws IOException {
        return upload == null
                ? bucket.put(place, part, Map.of(DIGEST, digest.hex()))
                : bucket.complete(place, upload, sent);
    }

    /**
     * By its digest where it has one. A large object has none, because its head was sent before its
     * end was known: it is read.
     */
    private boolean isTheSame(HeadObjectResponse there, Sha256 digest) throws IOException {
        if (there.contentLength() != content.length()) {
            return false;
        }
        String known = there.metadata().get(DIGEST);
        if (known != null) {
            return known.equals(digest.hex());
        }
        Optional<InputStream> object = ResumedInput.open(bucket, place);
        if (object.isEmpty()) {
            throw new IOException(key + " was removed while it was compared");
        }
        Tally stored = Tally.discarding();
        try (InputStream bytes = object.get()) {
            Disk.copy(bytes, stored);
        }
        return stored.digest().equals(digest);
    }

    private void send() throws IOException {
        if (sent.size() == MOST_PARTS) {
            throw new IOException(key + " is too large for a bucket");
        }
        if (upload == null) {
            upload = bucket.create(place);
        }
        sent.add(bucket.part(place, upload, sent.size() + 1, part));
        part.clear();
    }

    /** What was sent of an object that came to nothing is dropped, not left to a sweep. */
    @Override
    public void close() throws IOException {
        if (upload != null) {
            String broken = upload;
            upload = null;
            bucket.abort(place, broken);
        }
    }

    /** Sends a full part only when more comes, so that the last one is never empty. */
    private final class Body extends OutputStream {

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int taken = 0;
            while (taken < count) {
                if (part.isFull()) {
                    send();
                }
                taken += part.take(bytes, offset + taken, count - taken);
            }
        }
    }
}
