package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.References;
import dev.holdfast.retention.Policies;
import dev.holdfast.snapshot.Pins;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Verdicts;
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

    @Inject Caller caller;
    @Inject Pins pins;
    @Inject Policies policies;
    @Inject References references;
    @Inject Scope scope;
    @Inject Verdicts verdicts;

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
    @Refuses({
        Reason.MALFORMED_REFERENCE,
        Reason.SNAPSHOT_NOT_FOUND,
        Reason.SNAPSHOT_EXPIRED,
        Reason.SNAPSHOT_DELETED,
        Reason.SNAPSHOT_NOT_SAVED,
        Reason.PRECONDITION_FAILED,
        Reason.SNAPSHOT_HELD
    })
    @Audited(value = Action.SNAPSHOT_HOLD, type = "snapshot", id = "reference")
    public Response hold(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        Project project = scope.project(named);
        GuardRequest asked = GuardRequest.read(body);
        return view(
                project,
                pins.hold(
                        project.id(),
                        locked(project, reference),
                        asked.reason(),
                        asked.requiredEnd(),
                        caller.principal().text(),
                        Tags.version(ifMatch)));
    }

    private SnapshotId locked(Project project, String reference) {
        return references.locked(project.id(), project.slug().map(Slug::value), reference).id();
    }

    private Response view(Project project, Snapshot snapshot) {
        return Response.ok(
                        SnapshotView.of(
                                snapshot,
                                verdicts.standing(snapshot),
                                project.slug(),
                                policies.regime(project.id())))
                .tag(Tags.of(snapshot.version()))
                .build();
    }
}
