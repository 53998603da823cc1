package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.CaptureOrder;
import dev.holdfast.operation.CaptureAnswers;
import dev.holdfast.operation.OperationView;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Labels;
import dev.holdfast.snapshot.SnapshotName;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Captures of a sandbox. */
@Tag(name = "snapshots")
@Path("/projects/{project}/sandboxes/{id}/snapshots")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class CapturesResource {

    private static final long LONGEST_SECONDS = 1_000_000_000_000L;

    @Inject Caller caller;
    @Inject CaptureAnswers answers;
    @Inject Scope scope;
    @Inject SnapshotAnswers snapshots;

    @POST
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    @Operation(
            operationId = "captureSandbox",
            summary = "Save the state of a running sandbox, which goes on")
    @Audited(value = Action.SNAPSHOT_CAPTURE, type = "sandbox", id = "id")
    @Refuses({
        Reason.MALFORMED_NAME,
        Reason.QUOTA_BYTES_EXCEEDED,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.SANDBOX_NOT_RUNNING,
        Reason.SANDBOX_BUSY,
        Reason.NAME_TAKEN,
        Reason.PROJECT_UNNAMED,
        Reason.GENERATION_UNSUPPORTED,
        Reason.TEMPLATE_DELETED,
        Reason.CAPTURE_WORKER_BUSY,
        Reason.CAPTURE_CANCELLED,
        Reason.CAPTURE_FAILED,
        Reason.CAPTURE_EXPIRED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_UNREACHABLE,
        Reason.CAPTURE_IN_PROGRESS
    })
    @APIResponse(
            responseCode = "201",
            description = "It is saved; Location is the snapshot",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @APIResponse(
            responseCode = "202",
            description = "It goes on, as Prefer: respond-async allows; Location is the operation",
            content = @Content(schema = @Schema(implementation = OperationView.class)))
    @RequestBody(content = @Content(schema = @Schema(implementation = CaptureRequest.class)))
    public CompletionStage<Response> capture(
            @PathParam("project") String named,
            @PathParam("id") String id,
            @HeaderParam("Idempotency-Key") String key,
            @HeaderParam(Preference.HEADER) List<String> prefer,
            CaptureRequest body) {
        Project project = scope.project(named);
        CaptureRequest asked =
                body == null ? new CaptureRequest(null, null, null, null, null) : body;
        Optional<SnapshotName> name =
                Optional.ofNullable(asked.name())
                        .filter(text -> !text.isEmpty())
                        .map(text -> SnapshotName.own(text, project.slug()));
        CaptureOrder order =
                new CaptureOrder(
                                project.id(),
                                SandboxAnswers.id(id),
                                name,
                                asked.memory() == null || asked.memory(),
                                Optional.ofNullable(asked.deadline())
                                        .map(CapturesResource::seconds),
                                Optional.ofNullable(asked.retention())
                                        .map(CapturesResource::seconds),
                                Optional.empty(),
                                caller.principal().text())
                        .labelled(
                                asked.labels() == null ? Labels.NONE : new Labels(asked.labels()));
        return answers.answer(
                project,
                key == null ? order : order.named(key),
                Preference.of(prefer),
                snapshot ->
                        Response.status(Response.Status.CREATED)
                                .header(
                                        HttpHeaders.LOCATION,
                                        "/api/v1/projects/"
                                                + project.id()
                                                + "/snapshots/"
                                                + snapshot.id())
                                .entity(snapshots.view(project, snapshot)));
    }

    /** Far too many are refused by the room that knows how many are allowed. */
    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(Math.max(-1, Math.min(seconds, LONGEST_SECONDS)));
    }
}
