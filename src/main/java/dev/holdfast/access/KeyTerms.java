package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What can be changed of a key.
 *
 * @param expiresAt empty: it does not end by itself
 */
public record KeyTerms(String name, Set<Permission> permissions, Optional<Instant> expiresAt) {
    private static final int LONGEST_NAME = 128;

    public KeyTerms {
        name = name == null ? "" : name.strip();
        if (name.isEmpty()
                || name.codePointCount(0, name.length()) > LONGEST_NAME
                || name.chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid("name", "A key needs a name of 1 to 128 characters.");
        }
        if (permissions.isEmpty()) {
            throw Problem.invalid("permissions", "A key needs at least one permission.");
        }
        permissions = Collections.unmodifiableSet(EnumSet.copyOf(permissions));
    }

    /** A key of a project has rights there, one without has the service's. */
    void requireFit(boolean ofProject) {
        if (ofProject == permissions.contains(Permission.SERVICE_ADMIN)
                || !ofProject && permissions.size() > 1) {
            throw Problem.invalid(
                    "permissions",
                    "service:admin is for keys without a project, and they have nothing else.");
        }
    }
}
