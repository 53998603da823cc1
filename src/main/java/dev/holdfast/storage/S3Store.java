package dev.holdfast.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. The bucket makes an object only if it has none of that name, so two writers
 * of one key cannot overwrite each other, not even from two machines. A bucket that cannot do this
 * is no store: {@link #check} finds it out.
 */
public final class S3Store implements ObjectStore, Closeable {

    /** Times the parts that a bucket takes: objects of up to 156 GiB. */
    private static final int PART_SIZE = 16 * 1024 * 1024;

    /** No key begins with a dot, so nobody lists it. */
    private static final String MARK = ".holdfast";

    /** In less than the time of {@link StoreCheck}, so that it can say what is wrong. */
    private static final Duration CHECK = StoreCheck.PATIENCE.minusSeconds(1);

    private final Bucket bucket;
    private final Clock clock;
    private final int partSize;

    /** Known once: what a bucket does with an object of several parts does not change. */
    private volatile boolean refusesLarge;

    public S3Store(S3Config config, Clock clock) {
        this(config, clock, PART_SIZE);
    }

    S3Store(S3Config config, Clock clock, int partSize) {
        this.bucket = new Bucket(config);
        this.clock = clock;
        this.partSize = partSize;
    }

    @Override
    public Upload begin(ObjectKey key) {
        return new S3Upload(bucket, key, clock, partSize);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key) throws IOException {
        return ResumedInput.open(bucket, bucket.place(key));
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        Optional<HeadObjectResponse> head = bucket.head(bucket.place(key));
        return head.isPresent()
                ? OptionalLong.of(head.get().contentLength())
                : OptionalLong.empty();
    }

    /** A bucket does not say whether there was one to remove, so it is asked before. */
    @Override
    public boolean delete(ObjectKey key) throws IOException {
        if (!exists(key)) {
            return false;
        }
        bucket.delete(bucket.place(key));
        return true;
    }

    @Override
    public boolean any(String prefix, Predicate<StoredObject> wanted) throws IOException {
        ObjectKey.expectBeginning(prefix);
        String next = null;
        do {
            ListObjectsV2Response page = bucket.objects(prefix, next);
            for (S3Object each : page.contents()) {
                Optional<ObjectKey> key = bucket.key(each.key());
                if (key.isPresent()
                        && wanted.test(
                                new StoredObject(key.get(), each.size(), each.lastModified()))) {
                    return true;
                }
            }
            next = page.isTruncated() ? page.nextContinuationToken() : null;
        } while (next != null);
        return false;
    }

    /** An upload is touched when it begins and by each of its parts, as the bucket's clock says. */
    @Override
    public int removeLeftovers(Duration grace) throws IOException {
        Instant before = clock.instant().minus(grace);
        int removed = 0;
        ListMultipartUploadsResponse page = null;
        do {
            page = bucket.uploads(page);
            for (MultipartUpload each : page.uploads()) {
                if (isOurs(each)
                        && each.initiated().isBefore(before)
                        && isUntouchedSince(before, each)
                        && bucket.abort(each.key(), each.uploadId())) {
                    removed++;
                }
            }
        } while (page.isTruncated());
        return removed;
    }

    /** Others may have objects in the same bucket. */
    private boolean isOurs(MultipartUpload upload) {
        return bucket.key(upload.key()).isPresent() || upload.key().equals(bucket.place(MARK));
    }

    private boolean isUntouchedSince(Instant moment, MultipartUpload upload) throws IOException {
        Integer last = null;
        do {
            Optional<ListPartsResponse> page = bucket.parts(upload, last);
            if (page.isEmpty()
                    || page.get().parts().stream()
                            .anyMatch(part -> !part.lastModified().isBefore(moment))) {
                return false;
            }
            last = page.get().isTruncated() ? page.get().nextPartNumberMarker() : null;
        } while (last != null);
        return true;
    }

    /**
     * Asks the bucket for an object that it must refuse to make, because it has it: that takes the
     * right to write, and the way it has to refuse. One that lets itself be asked twice would let
     * objects be overwritten.
     */
    @Override
    public void check() throws IOException {
        String mark = bucket.place(MARK);
        if (bucket.probe(mark, CHECK) == Bucket.Outcome.STORED) {
            expectRefusal(bucket.probe(mark, CHECK));
        }
        // One that may not list is told that it is denied instead of that there is none.
        exists(new ObjectKey("probe/" + UUID.randomUUID()));
        if (!refusesLarge) {
            expectRefusal(completeOver(mark));
            refusesLarge = true;
        }
    }

    private Bucket.Outcome completeOver(String place) throws IOException {
        String upload = bucket.create(place);
        try {
            PartBuffer content = new PartBuffer(1);
            content.take(new byte[1], 0, 1);
            CompletedPart part = bucket.part(place, upload, 1, content);
            return bucket.complete(place, upload, List.of(part));
        } finally {
            bucket.abort(place, upload);
        }
    }

    private void expectRefusal(Bucket.Outcome outcome) throws IOException {
        if (outcome == Bucket.Outcome.STORED) {
            throw new BucketException(bucket.name(), BucketException.Reason.OVERWRITES, "", null);
        }
    }

    @Override
    public void close() {
        bucket.close();
    }
}
