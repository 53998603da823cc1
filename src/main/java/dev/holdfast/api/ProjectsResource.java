package dev.holdfast.api;

import dev.holdfast.access.Permission;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Projects: the caller's own. */
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

    @Inject Scope scope;

    @GET
    public ProjectView get(@PathParam("project") String project) {
        return ProjectView.of(scope.project(project));
    }
}
