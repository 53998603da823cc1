package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Replaced;
import dev.holdfast.restore.Replacements;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.UploadId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Restores of a sandbox in place. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes/{id}/restore")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class RestoreInPlaceResource {

    @Inject SandboxAnswers answers;
    @Inject Caller caller;
    @Inject Replacements replacements;
    @Inject Sandboxes sandboxes;
    @Inject Scope scope;

    @POST
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    @Operation(
            operationId = "restoreSandboxInPlace",
            summary = "Let a running sandbox go on from a snapshot, under the same ID and tokens",
            description =
                    "Its present state is kept first, as a snapshot of kind auto; where that cannot"
                            + " be, nothing is changed. A snapshot that cannot be started leaves"
                            + " the sandbox with the state before. Labels, network, what happens at"
                            + " the timeout and its moment stay the sandbox's; files, memory,"
                            + " processes, size and variables are the snapshot's. Connections are"
                            + " cut.")
    @Audited(value = Action.SANDBOX_RESTORE, type = "sandbox", id = "id")
    @Refuses({
        Reason.MALFORMED_REFERENCE,
        Reason.QUOTA_BYTES_EXCEEDED,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.SNAPSHOT_NOT_FOUND,
        Reason.SNAPSHOT_EXPIRED,
        Reason.SNAPSHOT_DELETED,
        Reason.SANDBOX_NOT_RUNNING,
        Reason.SANDBOX_BUSY,
        Reason.SNAPSHOT_NOT_SAVED,
        Reason.INCOMPATIBLE_RUNTIME,
        Reason.MISSING_PART,
        Reason.CORRUPT_PART,
        Reason.VOLUME_DELETED,
        Reason.VOLUME_ELSEWHERE,
        Reason.GENERATION_UNSUPPORTED,
        Reason.TEMPLATE_DELETED,
        Reason.CAPTURE_WORKER_BUSY,
        Reason.CAPTURE_CANCELLED,
        Reason.START_FAILED,
        Reason.CAPTURE_FAILED,
        Reason.CAPTURE_EXPIRED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_UNREACHABLE,
        Reason.WORKER_BUSY,
        Reason.RESTORE_IN_PROGRESS
    })
    @APIResponse(
            responseCode = "200",
            description = "It runs from the snapshot",
            content = @Content(schema = @Schema(implementation = RestoredInPlaceView.class)))
    @APIResponse(
            responseCode = "202",
            description = "It goes on, as Prefer: respond-async allows; Location is the sandbox",
            content = @Content(schema = @Schema(implementation = SandboxView.class)))
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = RestoreInPlaceRequest.class)))
    public CompletionStage<Response> restore(
            @PathParam("project") String named,
            @PathParam("id") String text,
            @HeaderParam(Preference.HEADER) List<String> prefer,
            RestoreInPlaceRequest body) {
        Project project = scope.project(named);
        SandboxId id = SandboxAnswers.id(text);
        String reference = (body == null ? new RestoreInPlaceRequest(null, null) : body).named();
        UploadId before =
                replacements.begin(caller.actor(), project.slug().map(Slug::value), id, reference);
        return Preference.of(prefer)
                .answer(
                        replacements.patience(),
                        patience -> replacements.outcome(project.id(), id, before, patience),
                        Reason.RESTORE_IN_PROGRESS,
                        this::done,
                        () -> accepted(project, id));
    }

    private Response.ResponseBuilder done(Replaced replaced) {
        SandboxView view = answers.view(replaced.sandbox());
        return Response.ok(
                new RestoredInPlaceView(view, view.restore(), replaced.before().toString()));
    }

    private Response.ResponseBuilder accepted(Project project, SandboxId id) {
        return Response.accepted(answers.view(sandboxes.get(project.id(), id)))
                .header(
                        HttpHeaders.LOCATION,
                        "/api/v1/projects/" + project.id() + "/sandboxes/" + id);
    }
}
