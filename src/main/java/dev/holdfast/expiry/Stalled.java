package dev.holdfast.expiry;

import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.UploadId;
import java.util.Objects;

/** A capture that nobody will finish, and why. */
record Stalled(UploadId upload, Failure why) {

    Stalled {
        Objects.requireNonNull(upload);
        Objects.requireNonNull(why);
    }
}
