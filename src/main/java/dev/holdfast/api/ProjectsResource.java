package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.snapshot.Retentions;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Projects: the caller's own. */
@Tag(name = "project")
@Path("/projects/{project}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({
    Permission.Word.SNAPSHOTS_READ,
    Permission.Word.SANDBOXES_USE,
    Permission.Word.SANDBOXES_MANAGE,
    Permission.Word.PROJECT_ADMIN
})
public class ProjectsResource {

    @Inject Retentions retentions;
    @Inject Scope scope;

    @GET
    @Operation(operationId = "getProject", summary = "The project and its policy")
    public ProjectView get(@PathParam("project") String project) {
        return ProjectView.of(scope.project(project));
    }

    @PATCH
    @Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
    @RolesAllowed(Permission.Word.PROJECT_ADMIN)
    @Operation(
            operationId = "changePolicy",
            summary =
                    "How long snapshots are kept from now on, and for how long what is deleted can be"
                            + " brought back; those that exist are untouched")
    @Transactional
    @Audited(value = Action.PROJECT_CHANGE, type = "project", id = "project")
    public ProjectView change(@PathParam("project") String project, PolicyRequest body) {
        Project named = scope.project(project);
        if (body != null && body.retentionSeconds() != null) {
            named =
                    retentions.setPolicy(
                            named.id(),
                            Optional.of(body.retentionSeconds())
                                    .filter(seconds -> seconds != 0)
                                    .map(Duration::ofSeconds));
        }
        if (body != null && body.trashSeconds() != null) {
            named = retentions.setTrash(named.id(), Duration.ofSeconds(body.trashSeconds()));
        }
        return ProjectView.of(named);
    }
}
