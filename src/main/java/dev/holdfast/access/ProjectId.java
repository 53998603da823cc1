package dev.holdfast.access;

import java.util.Objects;
import java.util.UUID;

/** Which project. */
public record ProjectId(UUID value) {
    public ProjectId {
        Objects.requireNonNull(value, "project id");
    }

    static ProjectId fresh() {
        return new ProjectId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
