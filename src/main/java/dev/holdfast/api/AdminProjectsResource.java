package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Retentions;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** All projects, for who administers the service; what is in them stays theirs. */
@Tag(name = "projects")
@Path("/admin/projects")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class AdminProjectsResource {

    @Inject Caller caller;
    @Inject Projects projects;
    @Inject Purges purges;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "listProjects",
            summary = "All projects, the oldest first, open or closed")
    public AdminProjectPage list(
            @QueryParam("limit") String limit, @QueryParam("after") String after) {
        int most = Cursor.limit(limit);
        List<Project> found = projects.list(Cursor.after(after, this::place), most + 1);
        List<Project> page = found.stream().limit(most).toList();
        return new AdminProjectPage(
                page.stream().map(AdminProjectView::of).toList(),
                found.size() > most ? cursor(page.get(most - 1)).token() : null);
    }

    @POST
    @Audited(value = Action.PROJECT_CREATE, type = "project")
    @Operation(
            operationId = "createProject",
            summary = "Make a project; what is left out is as projects usually have it")
    @Transactional
    @Refuses({Reason.MALFORMED_NAME, Reason.NAME_TAKEN})
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = TermsChange.class)))
    @APIResponse(
            responseCode = "201",
            description = "It is there; it has no key yet",
            content = @Content(schema = @Schema(implementation = AdminProjectView.class)))
    public Response create(JsonValue body) {
        TermsChange asked = TermsChange.of(body);
        Project made = projects.create(asked.fresh(projects.usual()));
        keep(asked, made);
        return view(Response.status(Response.Status.CREATED), made)
                .header(HttpHeaders.LOCATION, "/api/v1/admin/projects/" + made.id())
                .build();
    }

    @GET
    @Path("{project}")
    @Operation(operationId = "getProjectOfService", summary = "A project, by its ID or its slug")
    @APIResponse(
            responseCode = "200",
            description = "The project",
            content = @Content(schema = @Schema(implementation = AdminProjectView.class)))
    public Response get(@PathParam("project") String named) {
        return view(Response.ok(), scope.administered(named)).build();
    }

    @PATCH
    @Path("{project}")
    @Audited(value = Action.PROJECT_CHANGE, type = "project", id = "project")
    @Operation(
            operationId = "changeProjectTerms",
            summary = "Another name, slug, plan, service limit or retention")
    @Transactional
    @Refuses({Reason.MALFORMED_NAME, Reason.NAME_TAKEN})
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = TermsChange.class)))
    @APIResponse(
            responseCode = "200",
            description = "In force from now on; a new slug renames all qualified names at once",
            content = @Content(schema = @Schema(implementation = AdminProjectView.class)))
    public Response change(
            @PathParam("project") String named,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        TermsChange asked = TermsChange.of(body);
        Project changed =
                projects.change(scope.administered(named).id(), asked, Tags.version(ifMatch));
        keep(asked, changed);
        return view(Response.ok(), changed).build();
    }

    @POST
    @Path("{project}/close")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.PROJECT_CLOSE, type = "project", id = "project")
    @Operation(
            operationId = "closeProject",
            summary = "Refuse its keys and end its sandboxes; its snapshots stay")
    @Transactional
    @APIResponse(
            responseCode = "200",
            description = "It is closed, or was",
            content = @Content(schema = @Schema(implementation = AdminProjectView.class)))
    public Response close(@PathParam("project") String named) {
        ProjectId id = scope.administered(named).id();
        if (projects.close(id, caller.principal())) {
            sandboxes.endAll(id, EndReason.PROJECT_CLOSED, caller.principal().text());
        }
        return view(Response.ok(), projects.get(id)).build();
    }

    @POST
    @Path("{project}/reopen")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.PROJECT_REOPEN, type = "project", id = "project")
    @Operation(
            operationId = "reopenProject",
            summary = "Take its keys again; what has ended stays so")
    @Transactional
    @APIResponse(
            responseCode = "200",
            description = "It is open, or was",
            content = @Content(schema = @Schema(implementation = AdminProjectView.class)))
    public Response reopen(@PathParam("project") String named) {
        ProjectId id = scope.administered(named).id();
        projects.reopen(id, caller.principal());
        return view(Response.ok(), projects.get(id)).build();
    }

    @POST
    @Path("{project}/purge")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.PROJECT_PURGE, type = "project", id = "project")
    @Operation(operationId = "purgeProject", summary = "Delete all snapshots of a closed project")
    @APIResponse(responseCode = "200", description = "So many are deleted; their objects go later")
    @Refuses(Reason.PROJECT_NOT_CLOSED)
    public PurgeView purge(@PathParam("project") String named) {
        return new PurgeView(purges.purge(scope.administered(named).id()));
    }

    /** What snapshots may be kept for at most is known where they are. */
    private void keep(TermsChange asked, Project project) {
        if (asked.keeps()) {
            retentions.requirePolicy(project);
        }
    }

    private static Response.ResponseBuilder view(Response.ResponseBuilder answer, Project project) {
        return answer.entity(AdminProjectView.of(project)).tag(Tags.of(project.version()));
    }

    private Optional<Projects.Place> place(Cursor cursor) {
        return ProjectId.read(cursor.id()).map(id -> new Projects.Place(cursor.at(), id));
    }

    private static Cursor cursor(Project project) {
        return new Cursor(project.createdAt(), project.id().toString());
    }
}
