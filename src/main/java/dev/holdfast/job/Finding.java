package dev.holdfast.job;

import java.time.Instant;
import java.util.Objects;

/**
 * Something that a person should look at.
 *
 * @param subject what it is about, usually the ID of a snapshot
 * @param reason a stable word
 * @param objects how many stored objects it is about, and their bytes
 */
public record Finding(String subject, String reason, String detail, long objects, long bytes) {

    /** One that was written down. */
    public record Found(Finding finding, Instant at) {}

    /** After which finding a page begins. */
    public record Place(String subject, String reason) {}

    public Finding {
        Objects.requireNonNull(subject);
        Objects.requireNonNull(reason);
        Objects.requireNonNull(detail);
    }

    /** What is said instead of a verdict on any snapshot. */
    public static Finding storeEmpty() {
        return of("store", "store_empty", "nothing is judged by a store without objects");
    }

    public static Finding of(Object subject, String reason, String detail) {
        return new Finding(subject.toString(), reason, detail, 0, 0);
    }
}
