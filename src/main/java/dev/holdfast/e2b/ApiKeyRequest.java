package dev.holdfast.e2b;

import dev.holdfast.access.Grantor;
import dev.holdfast.access.KeyOrder;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * @param permissions not in E2B's own protocol; without it a key may do what its maker may
 */
public record ApiKeyRequest(
        @NotBlank(message = "is missing") @Size(max = 128, message = "has at most 128 characters")
                String name,
        @Size(max = 16, message = "has at most 16 entries") List<String> permissions) {

    KeyOrder order(ProjectId project, Grantor grantor) {
        return KeyOrder.of(project, name, permissions == null ? grantor.usual() : asked());
    }

    private Set<Permission> asked() {
        var asked = EnumSet.noneOf(Permission.class);
        for (var word : permissions) {
            asked.add(Permission.of(word).orElseThrow(ApiKeyRequest::unknown));
        }
        return asked;
    }

    private static Problem unknown() {
        return Problem.invalid(
                "permissions",
                "'permissions' holds an unknown word; a project's key may have "
                        + String.join(
                                ", ",
                                Permission.ofProject().stream().map(Permission::word).toList())
                        + ".");
    }
}
