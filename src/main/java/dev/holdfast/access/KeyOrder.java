package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a new key is to be. */
public final class KeyOrder {
    private static final int LONGEST_NAME = 128;

    private final ProjectId project;
    private final String name;
    private final Set<Permission> permissions;
    private final Duration lifetime;

    private KeyOrder(
            ProjectId project, String name, Set<Permission> permissions, Duration lifetime) {
        if (name == null || name.isBlank() || name.length() > LONGEST_NAME) {
            throw refused("A key needs a name of 1 to 128 characters.");
        }
        if (permissions.isEmpty()) {
            throw refused("A key needs at least one permission.");
        }
        if ((project == null) != permissions.contains(Permission.SERVICE_ADMIN)) {
            throw refused("service:admin is for keys without a project, and they need it.");
        }
        if (lifetime != null && (lifetime.isNegative() || lifetime.isZero())) {
            throw refused("A key's lifetime is longer than nothing.");
        }
        this.project = project;
        this.name = name.strip();
        this.permissions = Collections.unmodifiableSet(EnumSet.copyOf(permissions));
        this.lifetime = lifetime;
    }

    public static KeyOrder of(ProjectId project, String name, Set<Permission> permissions) {
        return new KeyOrder(project, name, permissions, null);
    }

    /** A key without a project. */
    public static KeyOrder ofOperator(String name) {
        return new KeyOrder(null, name, EnumSet.of(Permission.SERVICE_ADMIN), null);
    }

    /** The same key, but ending by itself. */
    public KeyOrder lasting(Duration lasts) {
        return new KeyOrder(project, name, permissions, lasts);
    }

    Optional<ProjectId> project() {
        return Optional.ofNullable(project);
    }

    String name() {
        return name;
    }

    Set<Permission> permissions() {
        return permissions;
    }

    Optional<Duration> lifetime() {
        return Optional.ofNullable(lifetime);
    }

    private static Problem refused(String message) {
        return new Problem(Reason.INVALID_PARAMETER, message);
    }
}
