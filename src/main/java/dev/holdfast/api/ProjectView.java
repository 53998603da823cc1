package dev.holdfast.api;

import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A project.
 *
 * @param slug its name in qualified snapshot names; absent while it has none
 * @param trashSeconds for how long what is deleted or expires can be brought back; 0: not at all
 * @param retentionSeconds how long its snapshots are kept; absent: as long as the service has it
 */
@Schema(
        name = "Project",
        requiredProperties = {"id", "name", "createdAt"})
public record ProjectView(
        @Schema(format = "uuid") String id,
        @Schema(examples = "Claims") String name,
        @Schema(examples = "claims") String slug,
        Long retentionSeconds,
        long trashSeconds,
        Instant createdAt) {
    static ProjectView of(Project project) {
        return new ProjectView(
                project.id().toString(),
                project.name(),
                project.slug().map(Slug::value).orElse(null),
                project.retention().map(Duration::toSeconds).orElse(null),
                project.trash().toSeconds(),
                project.createdAt());
    }
}
