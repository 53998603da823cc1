package dev.holdfast.api;

import dev.holdfast.access.Principal;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A project as the service sees it: nothing of what is in it.
 *
 * @param plan what was sold
 * @param serviceLimit what is enforced instead; absent: the plan
 * @param limit what is enforced
 * @param auditRetentionSeconds how long its audit is kept; absent: as long as the service has it
 * @param closedAt absent while it is open
 */
@Schema(
        name = "AdministeredProject",
        requiredProperties = {"id", "name", "plan", "limit", "createdAt"})
public record AdminProjectView(
        @Schema(format = "uuid") String id,
        @Schema(examples = "Claims") String name,
        @Schema(examples = "claims") String slug,
        AllowanceView plan,
        AllowanceView serviceLimit,
        AllowanceView limit,
        Long retentionSeconds,
        Long longestRetentionSeconds,
        Long auditRetentionSeconds,
        Instant createdAt,
        Instant closedAt,
        String closedBy) {

    static AdminProjectView of(Project project) {
        return new AdminProjectView(
                project.id().toString(),
                project.name(),
                project.slug().map(Slug::value).orElse(null),
                AllowanceView.of(project.plan()),
                project.serviceLimit().map(AllowanceView::of).orElse(null),
                AllowanceView.of(project.limit()),
                project.retention().map(Duration::toSeconds).orElse(null),
                project.longestRetention().map(Duration::toSeconds).orElse(null),
                project.auditRetention().map(Duration::toSeconds).orElse(null),
                project.createdAt(),
                project.closedAt().orElse(null),
                project.closedBy().map(Principal::text).orElse(null));
    }
}
