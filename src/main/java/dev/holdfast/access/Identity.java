package dev.holdfast.access;

import java.util.Optional;
import java.util.Set;

/** Whoever was recognised, and what this request of theirs may do. */
public sealed interface Identity permits ApiKey, Person {

    Principal principal();

    /** What people call them. */
    String name();

    /** Empty for who asks something of the service. */
    Optional<ProjectId> project();

    Set<Permission> permissions();
}
