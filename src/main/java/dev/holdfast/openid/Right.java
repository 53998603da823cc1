package dev.holdfast.openid;

import dev.holdfast.access.Permission;
import java.util.Objects;
import java.util.Optional;

/**
 * A permission in a project, or the service's.
 *
 * @param project its slug or ID; empty for {@code service:admin}
 */
record Right(Optional<String> project, Permission permission) {

    Right {
        Objects.requireNonNull(permission);
        if (project.isPresent() == (permission == Permission.SERVICE_ADMIN)) {
            throw new IllegalArgumentException("service:admin is for no project, all else is");
        }
    }

    /** {@code PROJECT:PERMISSION} or {@code service:admin}; empty for any other text. */
    static Optional<Right> read(String text) {
        if (text.equals(Permission.Word.SERVICE_ADMIN)) {
            return Optional.of(new Right(Optional.empty(), Permission.SERVICE_ADMIN));
        }
        int colon = text.indexOf(':');
        if (colon < 1) {
            return Optional.empty();
        }
        return Permission.of(text.substring(colon + 1))
                .filter(Permission.ofProject()::contains)
                .map(permission -> new Right(Optional.of(text.substring(0, colon)), permission));
    }

    @Override
    public String toString() {
        return project.map(named -> named + ":").orElse("") + permission.word();
    }
}
