package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.Pauses;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Connects;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Pausing a sandbox and letting it go on; what is under way is waited for. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes/{id}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.WILDCARD) // they have no body
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxPassagesResource {

    @Inject SandboxAnswers answers;
    @Inject Caller caller;
    @Inject Connects connects;
    @Inject Pauses pauses;
    @Inject Sandboxes sandboxes;
    @Inject Scope scope;

    @POST
    @Path("pause")
    @Operation(
            operationId = "pauseSandbox",
            summary =
                    "Save the whole state of a sandbox and let it rest; answered when that is safe")
    @Audited(value = Action.SANDBOX_PAUSE, type = "sandbox", id = "id")
    @Refuses({
        Reason.SANDBOX_NOT_RUNNING,
        Reason.SANDBOX_BUSY,
        Reason.PAUSE_UNSUPPORTED,
        Reason.TEMPLATE_DELETED,
        Reason.CAPTURE_WORKER_BUSY,
        Reason.CAPTURE_CANCELLED,
        Reason.CAPTURE_FAILED,
        Reason.CAPTURE_EXPIRED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_UNREACHABLE,
        Reason.SERVER_STOPPING,
        Reason.CAPTURE_IN_PROGRESS
    })
    @APIResponse(
            responseCode = "200",
            description = "It is paused",
            content = @Content(schema = @Schema(implementation = SandboxView.class)))
    public CompletionStage<SandboxView> pause(
            @PathParam("project") String named, @PathParam("id") String id) {
        Project project = scope.project(named);
        return pauses.pause(project.id(), SandboxAnswers.id(id), true, caller.principal().text())
                .handle(
                        (paused, failure) -> {
                            if (failure != null) {
                                throw late(failure);
                            }
                            return answers.view(paused);
                        });
    }

    private static RuntimeException late(Throwable failure) {
        return Waits.ranOut(failure)
                ? new Problem(
                        Reason.CAPTURE_IN_PROGRESS,
                        "The pause goes on. Ask for the sandbox's state to see when it is over.")
                : new CompletionException(Waits.cause(failure));
    }

    @POST
    @Path("resume")
    @Operation(
            operationId = "resumeSandbox",
            summary = "Let a paused sandbox go on where it was, for as long as it was made to live")
    @Audited(value = Action.SANDBOX_RESUME, type = "sandbox", id = "id")
    @Refuses({
        Reason.SNAPSHOT_NOT_FOUND,
        Reason.SANDBOX_BUSY,
        Reason.INCOMPATIBLE_RUNTIME,
        Reason.MISSING_PART,
        Reason.CORRUPT_PART,
        Reason.VOLUME_DELETED,
        Reason.VOLUME_ELSEWHERE,
        Reason.GENERATION_UNSUPPORTED,
        Reason.TEMPLATE_DELETED,
        Reason.START_FAILED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_UNREACHABLE,
        Reason.WORKER_BUSY,
        Reason.SERVER_STOPPING
    })
    @APIResponse(
            responseCode = "200",
            description = "It runs",
            content = @Content(schema = @Schema(implementation = SandboxView.class)))
    public CompletionStage<SandboxView> resume(
            @PathParam("project") String named, @PathParam("id") String text) {
        Project project = scope.project(named);
        SandboxId id = SandboxAnswers.id(text);
        var sandbox = sandboxes.getLive(project.id(), id);
        if (SandboxQuery.RUNNING.contains(sandbox.state())) {
            throw new Problem(Reason.SANDBOX_BUSY, "Sandbox " + id + " is running already.");
        }
        Duration longest = project.limit().longestLifetime();
        Duration own = sandbox.lifetime();
        return connects.connect(project.id(), id, own.compareTo(longest) > 0 ? longest : own, false)
                .thenApply(connected -> answers.view(connected.sandbox()));
    }
}
