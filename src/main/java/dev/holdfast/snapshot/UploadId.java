package dev.holdfast.snapshot;

import java.util.Objects;
import java.util.UUID;

/** The identifier of one capture. */
public record UploadId(UUID value) {

    public UploadId {
        Objects.requireNonNull(value);
    }

    public static UploadId random() {
        return new UploadId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
