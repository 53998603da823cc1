package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.workbench.SessionProcesses;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The programs that run in a session. */
@Tag(name = "sessions")
@Path("/projects/{project}/sessions/{id}/processes")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
@Refuses({Reason.SANDBOX_NOT_RUNNING, Reason.ANSWER_TOO_LARGE, Reason.TEMPORARILY_UNAVAILABLE})
public class SessionProcessesResource {

    @Inject SessionProcesses processes;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "listSessionProcesses",
            summary = "The programs that were started in a session and run")
    public CompletionStage<SessionProcessesView> list(
            @PathParam("project") String project, @PathParam("id") String id) {
        return processes
                .list(scope.project(project).id(), SandboxAnswers.id(id), exchange())
                .thenApply(SessionProcessesView::of);
    }

    @DELETE
    @Path("{pid}")
    @Operation(
            operationId = "endSessionProcess",
            summary = "End a program of a session and what it started")
    @APIResponse(responseCode = "204", description = "It was told to end")
    @Refuses(Reason.PROCESS_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> end(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("pid") String pid) {
        return processes
                .end(scope.project(project).id(), SandboxAnswers.id(id), number(pid), exchange())
                .thenApply(done -> Response.noContent().build());
    }

    private static long number(String pid) {
        if (!pid.matches("[1-9][0-9]{0,9}")) {
            throw Problem.invalid("pid", "\"pid\" is the number of a process.");
        }
        return Long.parseLong(pid);
    }

    private static HttpServerExchange exchange() {
        return ServletRequestContext.requireCurrent().getExchange();
    }
}
