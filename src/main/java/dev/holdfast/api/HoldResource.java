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

/** The hold of a snapshot, by which it stays until a moment, whoever wants what. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots/{reference}/hold")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.PROJECT_ADMIN)
public class HoldResource {

    @Inject SnapshotAnswers answers;
    @Inject Caller caller;
    @Inject Pins pins;
    @Inject Scope scope;

    @PUT
    @Operation(
            operationId = "holdSnapshot",
            summary = "Hold a snapshot until a moment, or longer than it is held so far",
            description =
                    "Until then it neither expires nor goes by a policy, nor is it deleted, and nobody"
                            + " can lift or shorten the hold.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = HoldRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "As it is now; ETag is its new version",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @Transactional
    @Refuses({Reason.SNAPSHOT_NOT_SAVED, Reason.SNAPSHOT_HELD})
    @Audited(value = Action.SNAPSHOT_HOLD, type = "snapshot", id = "reference")
    public Response hold(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        Project project = scope.project(named);
        GuardRequest asked = GuardRequest.read(body);
        return answers.ok(
                project,
                pins.hold(
                        project.id(),
                        answers.locked(project, reference).id(),
                        asked.reason(),
                        asked.requiredEnd(),
                        caller.principal().text(),
                        Tags.version(ifMatch)));
    }
}
