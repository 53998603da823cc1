package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.drive.DriveConfig;
import dev.holdfast.drive.Drives;
import dev.holdfast.problem.Problem;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.VolumeName;
import dev.holdfast.volume.VolumeTerms;
import dev.holdfast.volume.VolumeTokens;
import dev.holdfast.volume.Volumes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/** Volumes, as clients make, find and remove them. */
@Path("volumes")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class VolumesResource {

    /** Clients ask for all at once; a project is never allowed so many. */
    private static final int MOST = 1000;

    @Inject Caller caller;
    @Inject DriveConfig config;
    @Inject Drives drives;
    @Inject VolumeTokens tokens;
    @Inject Volumes volumes;

    @GET
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    public List<VolumeView> list() {
        return volumes.list(caller.project(), Optional.empty(), MOST).stream()
                .map(VolumeView::listed)
                .toList();
    }

    @POST
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.VOLUME_CREATE, type = "volume")
    public Response create(JsonValue body) {
        String name =
                Members.of(body)
                        .text("name")
                        .orElseThrow(
                                () ->
                                        Problem.invalid(
                                                "name", "\"name\" is missing. Name the volume."));
        Volume made =
                volumes.create(
                        caller.project(),
                        VolumeName.of(name),
                        new VolumeTerms(volumes.usual(), Optional.empty()),
                        config.worker(),
                        caller.principal().text());
        return Response.status(Response.Status.CREATED).entity(VolumeView.of(made, tokens)).build();
    }

    @GET
    @Path("{volume}")
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    public VolumeView get(@PathParam("volume") String reference) {
        return VolumeView.of(volumes.get(caller.project(), reference), tokens);
    }

    @DELETE
    @Path("{volume}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.VOLUME_DELETE, type = "volume", id = "volume")
    public void delete(@PathParam("volume") String reference) {
        volumes.delete(caller.project(), reference, caller.principal().text());
        drives.removeSoon();
    }
}
