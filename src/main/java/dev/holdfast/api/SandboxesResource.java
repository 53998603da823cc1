package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.SandboxEnds;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Sandboxes. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes/{id}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxesResource {

    @Inject SandboxAnswers answers;
    @Inject Caller caller;
    @Inject SandboxEnds ends;
    @Inject Sandboxes sandboxes;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "getSandbox",
            summary = "A sandbox, also one that has ended, and what became of it in a restore")
    public SandboxView get(@PathParam("project") String project, @PathParam("id") String id) {
        return answers.view(sandboxes.get(scope.project(project).id(), SandboxAnswers.id(id)));
    }

    @PATCH
    @Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
    @Operation(
            operationId = "changeSandbox",
            summary = "How long a sandbox lives from now on, or how long it may be idle")
    @Audited(value = Action.SANDBOX_CHANGE, type = "sandbox", id = "id")
    @Refuses({Reason.SANDBOX_NOT_RUNNING, Reason.SANDBOX_BUSY, Reason.WORKER_UNREACHABLE})
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = SandboxChangeRequest.class)))
    public SandboxView change(
            @PathParam("project") String named, @PathParam("id") String text, JsonValue body) {
        Project project = scope.project(named);
        SandboxId id = SandboxAnswers.id(text);
        SandboxChange asked = SandboxChange.read(body, project.limit().longestLifetime());
        return answers.view(
                asked.timeout()
                        ? live(project, id, asked.length().orElseThrow())
                        : sandboxes.setIdleTimeout(project.id(), id, asked.length()));
    }

    /** In the words of this API; a paused one is no unknown one here. */
    private Sandbox live(Project project, SandboxId id, Duration lifetime) {
        if (sandboxes.getLive(project.id(), id).state() == SandboxState.PAUSED) {
            throw new Problem(
                    Reason.SANDBOX_NOT_RUNNING,
                    "Sandbox " + id + " is paused and its timeout does not run. Resume it first.");
        }
        return sandboxes.setLifetime(project.id(), id, lifetime);
    }

    @DELETE
    @Consumes(MediaType.WILDCARD) // it has no body
    @Operation(
            operationId = "endSandbox",
            summary = "End a sandbox; one that somebody else made takes sandboxes:manage")
    @APIResponse(responseCode = "204", description = "Nothing of it can be reached any more")
    @Audited(value = Action.SANDBOX_END, type = "sandbox", id = "id")
    @Refuses({Reason.SANDBOX_BUSY, Reason.SERVER_STOPPING})
    public CompletionStage<Response> end(
            @PathParam("project") String project, @PathParam("id") String id) {
        scope.project(project);
        return ends.kill(caller.actor(), SandboxAnswers.id(id))
                .thenApply(done -> Response.noContent().build());
    }
}
