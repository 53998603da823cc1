package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Trash;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * What was deleted or has expired and can be brought back; its list is that of the status trashed.
 */
@Tag(name = "snapshots")
@Path("/projects/{project}/trash")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
public class TrashResource {

    private static final int PIECE = 100;

    @Inject SnapshotAnswers answers;
    @Inject Scope scope;
    @Inject Trash trash;

    @POST
    @Path("{reference}/bring-back")
    @Operation(
            operationId = "bringSnapshotBack",
            summary = "Bring a snapshot back, with its ID and, if it is still free, its name",
            description = "One that would be over at once has a day left.")
    @APIResponse(
            responseCode = "200",
            description = "As it is now; ETag is its version",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @Transactional
    @Refuses({Reason.SNAPSHOT_NOT_SAVED, Reason.SNAPSHOT_NOT_TRASHED})
    @Audited(value = Action.SNAPSHOT_BRING_BACK, type = "snapshot", id = "reference")
    public Response bringBack(
            @PathParam("project") String named, @PathParam("reference") String id) {
        Project project = scope.project(named);
        SnapshotId.parse(id).ifPresent(each -> trash.freeNameOf(project.id(), each));
        Snapshot back = trash.bringBack(project.id(), answers.locked(project, id).id());
        return answers.ok(project, back);
    }

    @DELETE
    @Path("{reference}")
    @Operation(
            operationId = "purgeSnapshot",
            summary = "Purge one before its time; its bytes are free when its objects are gone")
    @APIResponse(responseCode = "204", description = "It awaits its clean-up")
    @Transactional
    @Refuses({Reason.SNAPSHOT_NOT_SAVED, Reason.SNAPSHOT_NOT_TRASHED})
    @Audited(value = Action.SNAPSHOT_PURGE, type = "snapshot", id = "reference")
    public void purge(@PathParam("project") String named, @PathParam("reference") String id) {
        Project project = scope.project(named);
        trash.purge(project.id(), answers.locked(project, id).id());
    }

    @DELETE
    @Operation(operationId = "emptyTrash", summary = "Purge all of the trash now")
    @Audited(value = Action.SNAPSHOT_PURGE, type = "project", id = "project")
    public PurgeView empty(@PathParam("project") String named) {
        Project project = scope.project(named);
        int all = 0;
        int some;
        do {
            some = trash.empty(project.id(), PIECE);
            all += some;
        } while (some == PIECE);
        return new PurgeView(all);
    }
}
