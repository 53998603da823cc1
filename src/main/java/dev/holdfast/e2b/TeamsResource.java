package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Projects;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** E2B's teams. A key belongs to one project, so the list has exactly that one. */
@Path("/teams")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({
    Permission.Word.SNAPSHOTS_READ,
    Permission.Word.SANDBOXES_USE,
    Permission.Word.SANDBOXES_MANAGE,
    Permission.Word.PROJECT_ADMIN
})
public class TeamsResource {
    @Inject private Caller caller;
    @Inject private Projects projects;

    @GET
    public List<TeamView> list() {
        return List.of(TeamView.of(projects.get(caller.project()), caller));
    }
}
