package dev.holdfast.access;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Which project. */
public record ProjectId(UUID value) {
    public ProjectId {
        Objects.requireNonNull(value, "project id");
    }

    /** Empty if the text is no UUID, so that no project can have it. */
    public static Optional<ProjectId> read(String text) {
        return ApiKeyId.read(text).map(ApiKeyId::value).map(ProjectId::new);
    }

    static ProjectId fresh() {
        return new ProjectId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
