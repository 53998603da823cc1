package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The audit of a project, for who administers it or the service. */
@Tag(name = "audit")
@Path("/projects/{project}/audit")
@RequestScoped
@RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
public class AuditResource {

    @Inject AuditAnswers answers;
    @Inject Scope scope;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "listAudit", summary = "Who changed or was refused what, newest first")
    public AuditPage list(
            @PathParam("project") String project,
            @BeanParam AuditFilters filters,
            @QueryParam("limit") String limit,
            @QueryParam("after") String after) {
        return answers.list(of(project), filters, limit, after);
    }

    @GET
    @Path("chain")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "getAuditChain",
            summary = "Where the hash chain of this audit begins and ends, and whether it is whole")
    public AuditChainView chain(@PathParam("project") String project) {
        return answers.chain(of(project));
    }

    @GET
    @Path("export")
    @Produces(AuditAnswers.NDJSON)
    @Operation(
            operationId = "exportAudit",
            summary = "The same whole, one JSON object a line; as CSV with Accept: text/csv")
    @Refuses(Reason.RATE_LIMITED)
    public Response lines(@PathParam("project") String project, @BeanParam AuditFilters filters) {
        return answers.lines(of(project), filters);
    }

    @GET
    @Path("export")
    @Produces(AuditAnswers.CSV + ";qs=0.5")
    @Operation(hidden = true)
    public Response records(@PathParam("project") String project, @BeanParam AuditFilters filters) {
        return answers.records(of(project), filters);
    }

    private Optional<ProjectId> of(String project) {
        return Optional.of(scope.administered(project).id());
    }
}
