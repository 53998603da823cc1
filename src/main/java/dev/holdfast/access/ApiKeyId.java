package dev.holdfast.access;

import java.util.Objects;
import java.util.UUID;

/** Which API key; not its secret. */
public record ApiKeyId(UUID value) {
    public ApiKeyId {
        Objects.requireNonNull(value, "API key id");
    }

    static ApiKeyId fresh() {
        return new ApiKeyId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
