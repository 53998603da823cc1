package dev.holdfast.storage;

import dev.holdfast.run.LocalBucket;
import java.net.URI;
import java.time.Duration;

/** Stores in a bucket on this machine. */
final class Buckets {

    /** The least that a bucket takes. */
    static final int PART = 5 * 1024 * 1024;

    private Buckets() {}

    static S3Config at(URI address, String prefix) {
        return at(address, prefix, 4, Duration.ofSeconds(60));
    }

    static S3Config at(URI address, String prefix, int attempts, Duration patience) {
        LocalBucket.unlock();
        return new S3Config(
                LocalBucket.NAME, address, LocalBucket.REGION, true, prefix, attempts, patience);
    }
}
