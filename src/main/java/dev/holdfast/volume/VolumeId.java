package dev.holdfast.volume;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Names a volume for good; its name is another's when it is gone. */
public record VolumeId(UUID value) {

    private static final Pattern SHAPE =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    public VolumeId {
        Objects.requireNonNull(value);
    }

    static VolumeId random() {
        return new VolumeId(UUID.randomUUID());
    }

    /** Empty for what is no UUID. */
    public static Optional<VolumeId> parse(String text) {
        return SHAPE.matcher(text).matches()
                ? Optional.of(new VolumeId(UUID.fromString(text)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
