package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.drive.DriveConfig;
import dev.holdfast.drive.Drives;
import dev.holdfast.problem.Reason;
import dev.holdfast.volume.Mountings;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.VolumeId;
import dev.holdfast.volume.VolumeTerms;
import dev.holdfast.volume.Volumes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Volumes: directories that are mounted into sandboxes and outlive them. */
@Tag(name = "volumes")
@Path("/projects/{project}/volumes")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
public class VolumesResource {

    @Inject Caller caller;
    @Inject DriveConfig config;
    @Inject Drives drives;
    @Inject Scope scope;
    @Inject Mountings mountings;
    @Inject Volumes volumes;

    @GET
    @RolesAllowed({Permission.Word.SANDBOXES_USE, Permission.Word.SNAPSHOTS_READ})
    @Operation(
            operationId = "listVolumes",
            summary = "The volumes of a project, the oldest first, and what they come to")
    public VolumePage list(
            @PathParam("project") String project,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        ProjectId owner = scope.project(project).id();
        int most = Cursor.limit(limit);
        List<Volume> found =
                volumes.list(owner, Cursor.after(after, VolumesResource::place), most + 1);
        List<Volume> page = found.stream().limit(most).toList();
        return new VolumePage(
                page.stream().map(this::view).toList(),
                VolumePage.Quota.of(volumes.allotment(owner)),
                found.size() > most ? cursor(page.get(most - 1)).token() : null);
    }

    @POST
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.VOLUME_CREATE, type = "volume")
    @Operation(
            operationId = "createVolume",
            summary = "Makes an empty volume",
            description =
                    "It is mounted by volumeMounts of the call that makes a sandbox. What is in it"
                            + " is part of no snapshot: a restore finds it as it is then.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = VolumeRequest.class)))
    @APIResponse(
            responseCode = "201",
            description = "It is there",
            content = @Content(schema = @Schema(implementation = VolumeView.class)))
    @Refuses({
        Reason.MALFORMED_NAME,
        Reason.NAME_TAKEN,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.QUOTA_BYTES_EXCEEDED,
        Reason.NO_WORKER,
        Reason.DISK_FULL
    })
    public Response create(@PathParam("project") String project, JsonValue body) {
        ProjectId owner = scope.project(project).id();
        VolumeRequest asked = VolumeRequest.fresh(body);
        Volume made =
                volumes.create(
                        owner,
                        asked.name(),
                        asked.terms(volumes.usual()),
                        config.worker(),
                        caller.principal().text());
        return Response.created(URI.create("/api/v1/projects/" + owner + "/volumes/" + made.id()))
                .tag(Tags.of(made.version()))
                .entity(view(made))
                .build();
    }

    @GET
    @Path("{volume}")
    @RolesAllowed({Permission.Word.SANDBOXES_USE, Permission.Word.SNAPSHOTS_READ})
    @Operation(
            operationId = "getVolume",
            summary = "A volume, by ID or by name, who mounts it and which snapshots need it")
    @APIResponse(
            responseCode = "200",
            description = "As it is now",
            content = @Content(schema = @Schema(implementation = VolumeView.class)))
    public Response get(
            @PathParam("project") String project, @PathParam("volume") String reference) {
        return shown(volumes.get(scope.project(project).id(), reference));
    }

    @PATCH
    @Path("{volume}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.VOLUME_CHANGE, type = "volume", id = "volume")
    @Operation(
            operationId = "changeVolume",
            summary = "Another note, or more room; for that no sandbox may mount it")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = VolumeRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "As it is now",
            content = @Content(schema = @Schema(implementation = VolumeView.class)))
    @Refuses({
        Reason.VOLUME_IN_USE,
        Reason.VOLUME_BUSY,
        Reason.VOLUME_UNAVAILABLE,
        Reason.QUOTA_BYTES_EXCEEDED,
        Reason.DISK_FULL,
        Reason.PRECONDITION_FAILED
    })
    public Response change(
            @PathParam("project") String project,
            @PathParam("volume") String reference,
            @HeaderParam("If-Match") String ifMatch,
            JsonValue body) {
        ProjectId owner = scope.project(project).id();
        Volume before = volumes.get(owner, reference);
        UnaryOperator<VolumeTerms> change = VolumeRequest.change(body);
        Supplier<Volume> row =
                () -> volumes.change(owner, reference, change, Tags.version(ifMatch));
        boolean larger = change.apply(before.terms()).limit() > before.terms().limit();
        return shown(larger ? drives.grow(before, row) : row.get());
    }

    @DELETE
    @Path("{volume}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.VOLUME_DELETE, type = "volume", id = "volume")
    @Operation(
            operationId = "deleteVolume",
            summary = "Deletes a volume and all that is in it",
            description =
                    "Not while a sandbox mounts it, a paused one included. Snapshots that mount it"
                            + " stay and can no longer be restored; getVolume names them.")
    @APIResponse(responseCode = "204", description = "Deleted, and its name is free")
    @Refuses(Reason.VOLUME_IN_USE)
    public void delete(
            @PathParam("project") String project, @PathParam("volume") String reference) {
        volumes.delete(scope.project(project).id(), reference, caller.principal().text());
        drives.removeSoon();
    }

    private Response shown(Volume volume) {
        return Response.ok(view(volume)).tag(Tags.of(volume.version())).build();
    }

    private VolumeView view(Volume volume) {
        return VolumeView.of(volume, drives.room(volume), mountings.of(volume.id()));
    }

    private static Cursor cursor(Volume volume) {
        return new Cursor(volume.createdAt(), volume.id().toString());
    }

    private static Optional<Volumes.Place> place(Cursor cursor) {
        return VolumeId.parse(cursor.id()).map(id -> new Volumes.Place(cursor.at(), id));
    }
}
