package dev.holdfast.expiry;

import dev.holdfast.snapshot.UploadId;
import java.util.Objects;

/** A capture that nobody will finish, and why. */
record Stalled(UploadId upload, String why) {

    Stalled {
        Objects.requireNonNull(upload);
        Objects.requireNonNull(why);
    }
}
