package dev.holdfast.access;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody whom an OpenID provider vouches for, as they ask for one thing.
 *
 * @param subject what the provider calls them for good
 * @param name what people call them
 * @param project of which they ask it; empty: of the service, or of the console alone
 * @param endsAt when the provider's word is no longer taken
 */
public record Person(
        String subject,
        String name,
        Optional<ProjectId> project,
        Set<Permission> permissions,
        Instant endsAt)
        implements Identity {

    public Person {
        Objects.requireNonNull(name);
        Objects.requireNonNull(project);
        Objects.requireNonNull(endsAt);
        permissions = Set.copyOf(permissions);
    }

    @Override
    public Principal principal() {
        return Principal.person(subject);
    }
}
