package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a new key is to be. */
public final class KeyOrder {
    private final ProjectId project;
    private final KeyTerms terms;
    private final Duration lifetime;

    private KeyOrder(ProjectId project, KeyTerms terms, Duration lifetime) {
        terms.requireFit(project != null);
        if (lifetime != null && (lifetime.isNegative() || lifetime.isZero())) {
            throw new Problem(Reason.INVALID_PARAMETER, "A key's lifetime is longer than nothing.");
        }
        this.project = project;
        this.terms = terms;
        this.lifetime = lifetime;
    }

    public static KeyOrder of(ProjectId project, String name, Set<Permission> permissions) {
        return of(Optional.ofNullable(project), new KeyTerms(name, permissions, Optional.empty()));
    }

    /**
     * @param project empty for a key of the service
     */
    public static KeyOrder of(Optional<ProjectId> project, KeyTerms terms) {
        return new KeyOrder(project.orElse(null), terms, null);
    }

    /** A key without a project. */
    public static KeyOrder ofOperator(String name) {
        return of(null, name, EnumSet.of(Permission.SERVICE_ADMIN));
    }

    /** The same key, but ending by itself. */
    public KeyOrder lasting(Duration lasts) {
        return new KeyOrder(project, terms, lasts);
    }

    Optional<ProjectId> project() {
        return Optional.ofNullable(project);
    }

    KeyTerms terms(Instant now) {
        return lifetime == null
                ? terms
                : new KeyTerms(terms.name(), terms.permissions(), Optional.of(now.plus(lifetime)));
    }
}
