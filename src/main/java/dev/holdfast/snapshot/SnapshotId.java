package dev.holdfast.snapshot;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The identifier of a snapshot. */
public record SnapshotId(UUID value) {

    private static final Pattern SHAPE =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    public SnapshotId {
        Objects.requireNonNull(value);
    }

    public static SnapshotId random() {
        return new SnapshotId(UUID.randomUUID());
    }

    /** The ID a text stands for; empty when it is no UUID in its usual form. */
    public static Optional<SnapshotId> parse(String text) {
        return text != null && SHAPE.matcher(text).matches()
                ? Optional.of(new SnapshotId(UUID.fromString(text)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
