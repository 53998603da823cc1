package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Pins;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The pin of a snapshot, by which it stays until somebody lifts it. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots/{reference}/pin")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
public class PinResource {

    @Inject SnapshotAnswers answers;
    @Inject Caller caller;
    @Inject Pins pins;
    @Inject Scope scope;

    @PUT
    @Operation(
            operationId = "pinSnapshot",
            summary = "Pin a snapshot, or give its pin another reason, owner and end",
            description = "Until then it neither expires nor goes by a policy, nor is it deleted.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = GuardRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "As it is now; ETag is its new version",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @Transactional
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    @Audited(value = Action.SNAPSHOT_PIN, type = "snapshot", id = "reference")
    public Response pin(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        Project project = scope.project(named);
        GuardRequest asked = GuardRequest.read(body);
        return answers.ok(
                project,
                pins.pin(
                        project.id(),
                        answers.locked(project, reference).id(),
                        asked.reason(),
                        asked.end(),
                        caller.principal().text(),
                        Tags.version(ifMatch)));
    }

    @DELETE
    @Operation(
            operationId = "unpinSnapshot",
            summary = "Lift the pin of a snapshot",
            description = "Its own expiry holds again; if that is past by now it has a day left.")
    @APIResponse(
            responseCode = "200",
            description = "As it is now, also if it had no pin",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @Transactional
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    @Audited(value = Action.SNAPSHOT_UNPIN, type = "snapshot", id = "reference")
    public Response unpin(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch) {
        Project project = scope.project(named);
        return answers.ok(
                project,
                pins.unpin(
                        project.id(),
                        answers.locked(project, reference).id(),
                        Tags.version(ifMatch)));
    }
}
