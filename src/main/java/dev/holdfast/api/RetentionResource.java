package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.retention.Edition;
import dev.holdfast.retention.Policies;
import dev.holdfast.retention.Reviews;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.OptionalLong;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Which snapshots a project keeps. */
@Tag(name = "snapshots")
@Path("/projects/{project}/retention")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed({Permission.Word.SNAPSHOTS_READ, Permission.Word.PROJECT_ADMIN})
public class RetentionResource {

    @Inject Caller caller;
    @Inject Policies policies;
    @Inject Reviews reviews;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "getRetention",
            summary = "The latest version of the retention policy; version 0 if there is none")
    @APIResponse(
            responseCode = "200",
            description = "ETag is what If-Match of the next version compares",
            content = @Content(schema = @Schema(implementation = RetentionView.class)))
    public Response get(@PathParam("project") String named) {
        return answer(
                policies.current(scope.project(named).id())
                        .map(RetentionView::of)
                        .orElse(RetentionView.NONE));
    }

    @PUT
    @RolesAllowed(Permission.Word.PROJECT_ADMIN)
    @Operation(
            operationId = "setRetention",
            summary = "The next version of the retention policy",
            description =
                    "It rules what is saved from now on. What exists stays under the version that it"
                            + " was saved under, unless applyToExisting is true; then previewed has"
                            + " to be what its preview gave.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = RetentionRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "ETag is its number",
            content = @Content(schema = @Schema(implementation = RetentionView.class)))
    @Audited(value = Action.RETENTION_CHANGE, type = "project", id = "project")
    public Response adopt(
            @PathParam("project") String named,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        Project project = scope.project(named);
        RetentionRequest.Read asked = RetentionRequest.read(body);
        Edition next =
                policies.adopt(
                        project.id(),
                        asked.proposal(),
                        asked.previewed(),
                        caller.principal().text(),
                        Tags.version(ifMatch));
        return answer(RetentionView.of(next));
    }

    private static Response answer(RetentionView view) {
        return Response.ok(view).tag(Tags.of(view.version())).build();
    }

    @GET
    @Path("versions")
    @Operation(
            operationId = "listRetentionVersions",
            summary = "All versions of the retention policy, the latest first")
    public RetentionPage versions(
            @PathParam("project") String named,
            @QueryParam("limit")
                    @Parameter(
                            schema = @Schema(minimum = "1", maximum = "100", defaultValue = "100"))
                    String limit,
            @QueryParam("after") @Parameter(description = "The next of a page") String after) {
        Project project = scope.project(named);
        int most = Cursor.limit(limit);
        List<Edition> found = policies.editions(project.id(), number(after), most + 1);
        List<RetentionView> page = found.stream().limit(most).map(RetentionView::of).toList();
        return new RetentionPage(
                page, found.size() > most ? Integer.toString(page.get(most - 1).version()) : null);
    }

    private static OptionalLong number(String after) {
        if (after == null || after.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!after.matches("[1-9]\\d{0,8}")) {
            throw Problem.invalid(
                    "after", "\"after\" is what this list gave as next. Start without it.");
        }
        return OptionalLong.of(Long.parseLong(after));
    }

    @POST
    @Path("preview")
    @Operation(
            operationId = "previewRetention",
            summary = "What the retention policy would let go now, and why; changes nothing",
            description =
                    "The policies in force, or one as if it were the next version. What the job"
                            + " apply-retention lets go at a moment is what is shown of that moment.")
    @RequestBody(
            content = @Content(schema = @Schema(implementation = RetentionPreviewRequest.class)))
    @Audited(value = Action.RETENTION_CHANGE, type = "project", id = "project")
    public RetentionPreviewView preview(@PathParam("project") String named, JsonValue body) {
        Project project = scope.project(named);
        RetentionPreviewRequest.Read asked = RetentionPreviewRequest.read(body);
        return RetentionPreviewView.of(
                reviews.preview(project.id(), asked.next(), asked.after(), asked.limit()),
                project.slug());
    }
}
