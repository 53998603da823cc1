package dev.holdfast.storage;

import java.time.Instant;
import java.util.Objects;

/** One object as a listing shows it. */
public record StoredObject(ObjectKey key, long size, Instant modifiedAt) {

    public StoredObject {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(modifiedAt, "modifiedAt");
        if (size < 0) {
            throw new IllegalArgumentException("an object has no negative size");
        }
    }
}
