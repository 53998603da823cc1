package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.workbench.Contexts;
import dev.holdfast.workbench.Namespaces;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The interpreters of a session, and the code that runs in them. */
@Tag(name = "sessions")
@Path("/projects/{project}/sessions/{id}/contexts")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
@Refuses({
    Reason.SANDBOX_NOT_RUNNING,
    Reason.INTERPRETER_UNAVAILABLE,
    Reason.ANSWER_TOO_LARGE,
    Reason.TEMPORARILY_UNAVAILABLE
})
public class ContextsResource {

    private static final String LINES = "application/x-ndjson";

    @Inject Contexts contexts;
    @Inject Namespaces namespaces;
    @Inject Scope scope;

    @GET
    @Operation(operationId = "listContexts", summary = "The interpreters of a session")
    public CompletionStage<ContextsView> list(
            @PathParam("project") String project, @PathParam("id") String id) {
        return contexts.list(of(project), SandboxAnswers.id(id), exchange())
                .thenApply(all -> new ContextsView(all.stream().map(ContextView::of).toList()));
    }

    @POST
    @Operation(operationId = "createContext", summary = "Make another interpreter in a session")
    @RequestBody(content = @Content(schema = @Schema(implementation = ContextRequest.class)))
    @APIResponse(
            responseCode = "201",
            description = "It is there",
            content = @Content(schema = @Schema(implementation = ContextView.class)))
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> create(
            @PathParam("project") String project, @PathParam("id") String id, ContextRequest body) {
        ContextRequest asked = body == null ? new ContextRequest(null, null) : body;
        return contexts.create(
                        of(project),
                        SandboxAnswers.id(id),
                        said(asked.language()),
                        said(asked.directory()),
                        exchange())
                .thenApply(
                        made ->
                                Response.status(Response.Status.CREATED)
                                        .entity(ContextView.of(made))
                                        .build());
    }

    @DELETE
    @Path("{context}")
    @Operation(
            operationId = "removeContext",
            summary = "Remove an interpreter with what it knows and all that runs in it")
    @APIResponse(responseCode = "204", description = "It is gone")
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> remove(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context) {
        return done(contexts.remove(of(project), SandboxAnswers.id(id), context, exchange()));
    }

    @POST
    @Path("{context}/interrupt")
    @Operation(
            operationId = "interruptContext",
            summary = "Interrupt what runs in an interpreter, as Ctrl-C does")
    @APIResponse(responseCode = "204", description = "It was told")
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> interrupt(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context) {
        return done(contexts.interrupt(of(project), SandboxAnswers.id(id), context, exchange()));
    }

    @POST
    @Path("{context}/restart")
    @Operation(
            operationId = "restartContext",
            summary = "Begin an interpreter anew; what it knew is gone")
    @APIResponse(responseCode = "204", description = "It is a new one")
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> restart(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context) {
        return done(contexts.restart(of(project), SandboxAnswers.id(id), context, exchange()));
    }

    @POST
    @Path("{context}/executions")
    @Produces({LINES, MediaType.APPLICATION_JSON})
    @Operation(
            operationId = "executeCode",
            summary = "Run code in an interpreter and be told of it as it happens",
            description =
                    "A JSON object a line, its type first: accepted, started, output, result,"
                            + " error, cut where output is left out, alive as a sign of life, and at"
                            + " last end, or lost where what becomes of the code cannot be told. Code"
                            + " of one interpreter runs one after the other. Who leaves does not end"
                            + " it. Whatever is in a line was written in the session: show it as text,"
                            + " or as a picture.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = CodeRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "Line by line",
            content =
                    @Content(
                            mediaType = LINES,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> execute(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context,
            CodeRequest body) {
        if (body == null || body.code() == null) {
            throw Problem.invalid("code", "\"code\" is what is to run.");
        }
        return contexts.execute(
                of(project), SandboxAnswers.id(id), context, body.code(), exchange());
    }

    @POST
    @Path("{context}/completions")
    @Operation(
            operationId = "completeCode",
            summary = "What may stand at a place of code, from what lives in an interpreter",
            description = "Nothing while code runs in it.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = CompletionRequest.class)))
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<CompletionView> complete(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context,
            CompletionRequest body) {
        CompletionRequest asked = body == null ? new CompletionRequest(null, null) : body;
        return namespaces
                .complete(
                        of(project),
                        SandboxAnswers.id(id),
                        context,
                        asked.code(),
                        asked.cursor() == null ? 0 : asked.cursor(),
                        exchange())
                .thenApply(CompletionView::of);
    }

    @GET
    @Path("{context}/variables")
    @Operation(
            operationId = "listVariables",
            summary = "The names that live in an interpreter, their types and short values",
            description = "None while code runs in it.")
    @Refuses(Reason.CONTEXT_NOT_FOUND)
    public CompletionStage<VariablesView> variables(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @PathParam("context") String context) {
        return namespaces
                .variables(of(project), SandboxAnswers.id(id), context, exchange())
                .thenApply(VariablesView::of);
    }

    private ProjectId of(String project) {
        return scope.project(project).id();
    }

    private static CompletionStage<Response> done(CompletionStage<Void> stage) {
        return stage.thenApply(done -> Response.noContent().build());
    }

    private static Optional<String> said(String text) {
        return Optional.ofNullable(text).filter(word -> !word.isBlank());
    }

    private static HttpServerExchange exchange() {
        return ServletRequestContext.requireCurrent().getExchange();
    }
}
