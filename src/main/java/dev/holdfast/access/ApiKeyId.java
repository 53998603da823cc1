package dev.holdfast.access;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Which API key; not its secret. */
public record ApiKeyId(UUID value) {
    /** Java alone would also read short and odd groups. */
    private static final Pattern FORM =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    public ApiKeyId {
        Objects.requireNonNull(value, "API key id");
    }

    /** Empty if the text is no UUID, so that no key can have it. */
    public static Optional<ApiKeyId> read(String text) {
        return FORM.matcher(text).matches()
                ? Optional.of(new ApiKeyId(UUID.fromString(text)))
                : Optional.empty();
    }

    static ApiKeyId fresh() {
        return new ApiKeyId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
