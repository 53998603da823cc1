package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The audit of the service: what belongs to no project, and what its keys did in projects. */
@Tag(name = "service audit")
@Path("/admin/audit")
@RequestScoped
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class AdminAuditResource {

    @Inject AuditAnswers answers;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listServiceAudit",
            summary = "Who changed or was refused what, newest first")
    public AuditPage list(
            @BeanParam AuditFilters filters,
            @QueryParam("limit") String limit,
            @QueryParam("after") String after) {
        return answers.list(Optional.empty(), filters, limit, after);
    }

    @GET
    @Path("chain")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "getServiceAuditChain",
            summary = "Where the hash chain of this audit begins and ends, and whether it is whole")
    public AuditChainView chain() {
        return answers.chain(Optional.empty());
    }

    @GET
    @Path("export")
    @Produces(AuditAnswers.NDJSON)
    @Operation(
            operationId = "exportServiceAudit",
            summary = "The same whole, one JSON object a line; as CSV with Accept: text/csv")
    @Refuses(Reason.RATE_LIMITED)
    public Response lines(@BeanParam AuditFilters filters) {
        return answers.lines(Optional.empty(), filters);
    }

    @GET
    @Path("export")
    @Produces(AuditAnswers.CSV + ";qs=0.5")
    @Operation(hidden = true)
    public Response records(@BeanParam AuditFilters filters) {
        return answers.records(Optional.empty(), filters);
    }
}
