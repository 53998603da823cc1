package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.workbench.Profiles;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What sessions can run with. */
@Tag(name = "sessions")
@Path("/projects/{project}/profiles")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Permission.Word.SANDBOXES_USE, Permission.Word.SNAPSHOTS_READ})
public class ProfilesResource {

    @Inject Profiles profiles;
    @Inject Scope scope;

    @GET
    @Operation(operationId = "listProfiles", summary = "The profiles a session can run with")
    public ProfilesView list(@PathParam("project") String project) {
        return new ProfilesView(
                profiles.within(scope.project(project).limit().longestLifetime()).stream()
                        .map(ProfileView::of)
                        .toList());
    }
}
