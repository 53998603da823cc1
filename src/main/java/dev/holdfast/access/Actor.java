package dev.holdfast.access;

import java.util.Objects;
import java.util.Set;

/**
 * Who asks for something in a project, as it is handed to what decides or works outside the
 * request.
 *
 * @param permissions what they may do there
 */
public record Actor(ProjectId project, Principal principal, Set<Permission> permissions) {

    public Actor {
        Objects.requireNonNull(project);
        Objects.requireNonNull(principal);
        permissions = Set.copyOf(permissions);
    }

    /**
     * @throws dev.holdfast.problem.Problem {@code permission_missing}, naming it
     */
    public void require(Permission permission) {
        if (!permissions.contains(permission)) {
            throw Caller.lacking(permission.word());
        }
    }
}
