package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import dev.holdfast.workbench.SessionFiles;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The files of a session, as its ordinary user has them. */
@Tag(name = "sessions")
@Path("/projects/{project}/sessions/{id}/files")
@RequestScoped
@RolesAllowed(Permission.Word.SANDBOXES_USE)
@Refuses({
    Reason.FILE_NOT_FOUND,
    Reason.FILE_NOT_READABLE,
    Reason.FILE_TOO_LARGE,
    Reason.SANDBOX_NOT_RUNNING,
    Reason.ANSWER_TOO_LARGE,
    Reason.TEMPORARILY_UNAVAILABLE
})
public class SessionFilesResource {

    private static final String PATH = "From the root, as /home/user/notes.txt";
    private static final String CONTENT = "application/octet-stream";

    @Inject SessionFiles files;
    @Inject Scope scope;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listSessionFiles",
            summary = "What is in a directory of a session, by name, page by page")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = SessionFilePage.class)))
    public CompletionStage<SessionFilePage> list(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(description = PATH) @QueryParam("path") String path,
            @Parameter(description = "The next of a page") @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        return files.list(
                        of(project),
                        SandboxAnswers.id(id),
                        path,
                        Optional.ofNullable(after).filter(name -> !name.isEmpty()),
                        Cursor.limit(limit),
                        exchange())
                .thenApply(SessionFilePage::of);
    }

    @GET
    @Path("content")
    @Produces(CONTENT)
    @Operation(
            operationId = "readSessionFile",
            summary = "The content of a file of a session, as an attachment")
    @APIResponse(
            responseCode = "200",
            description = "All of it",
            content =
                    @Content(
                            mediaType = CONTENT,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    public CompletionStage<Response> read(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(description = PATH) @QueryParam("path") String path) {
        return files.read(of(project), SandboxAnswers.id(id), path, exchange());
    }

    @POST
    @Consumes(CONTENT)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "writeSessionFile",
            summary = "Write a file of a session; the body is its content",
            description = "What was there is replaced, and directories that lead to it are made.")
    @RequestBody(
            required = true,
            content =
                    @Content(
                            mediaType = CONTENT,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(responseCode = "204", description = "It is written")
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public void write(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(description = PATH) @QueryParam("path") String path,
            @Context HttpServletRequest servlet,
            @Suspended AsyncResponse response)
            throws IOException {
        files.write(
                of(project),
                SandboxAnswers.id(id),
                path,
                exchange(),
                servlet.getInputStream(),
                response);
    }

    @PUT
    @Path("directory")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "makeSessionDirectory", summary = "Make a directory in a session")
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<SessionFilePage.SessionFileView> makeDirectory(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(description = PATH) @QueryParam("path") String path) {
        return files.makeDirectory(of(project), SandboxAnswers.id(id), path, exchange())
                .thenApply(SessionFilePage.SessionFileView::of);
    }

    @DELETE
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "removeSessionFile",
            summary = "Remove a file of a session, or a directory with all that is in it")
    @APIResponse(responseCode = "204", description = "Nothing is at that path")
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public CompletionStage<Response> remove(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(description = PATH) @QueryParam("path") String path) {
        return files.remove(of(project), SandboxAnswers.id(id), path, exchange())
                .thenApply(done -> Response.noContent().build());
    }

    private ProjectId of(String project) {
        return scope.project(project).id();
    }

    private static HttpServerExchange exchange() {
        return ServletRequestContext.requireCurrent().getExchange();
    }
}
