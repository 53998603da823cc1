package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What happened in all projects, and to what is the service's own. */
@Tag(name = "service events")
@Path("/admin/events")
@RequestScoped
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class AdminEventsResource {

    @Inject EventAnswers answers;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listServiceEvents",
            summary =
                    "What happened anywhere, oldest first, each transition once; with Accept:"
                            + " text/event-stream as it happens, resumed by Last-Event-ID")
    @Refuses(Reason.RATE_LIMITED)
    @APIResponse(responseCode = "200", description = "A page; gap: true where some are missing")
    public EventPageView list(@BeanParam EventFilters filters, @QueryParam("limit") String limit) {
        return answers.list(Optional.empty(), filters, limit);
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS + ";qs=0.5")
    @Operation(hidden = true)
    public Response stream(
            @BeanParam EventFilters filters, @HeaderParam("Last-Event-ID") String lastEventId) {
        return answers.stream(
                Optional.empty(), filters, lastEventId, Set.of(Permission.SERVICE_ADMIN));
    }
}
