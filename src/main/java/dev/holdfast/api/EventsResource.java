package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What happened in a project. */
@Tag(name = "events")
@Path("/projects/{project}/events")
@RequestScoped
@RolesAllowed({
    Permission.Word.SNAPSHOTS_READ,
    Permission.Word.PROJECT_ADMIN,
    Permission.Word.SERVICE_ADMIN
})
public class EventsResource {

    @Inject EventAnswers answers;
    @Inject Scope scope;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listEvents",
            summary =
                    "What happened, oldest first, each transition once and in its order; with"
                            + " Accept: text/event-stream as it happens, resumed by"
                            + " Last-Event-ID")
    @Refuses(Reason.RATE_LIMITED)
    @APIResponse(responseCode = "200", description = "A page; gap: true where some are missing")
    public EventPageView list(
            @PathParam("project") String project,
            @BeanParam EventFilters filters,
            @QueryParam("limit") String limit) {
        return answers.list(of(project), filters, limit);
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS + ";qs=0.5")
    @Operation(hidden = true)
    public Response stream(
            @PathParam("project") String project,
            @BeanParam EventFilters filters,
            @HeaderParam("Last-Event-ID") String lastEventId) {
        return answers.stream(
                of(project),
                filters,
                lastEventId,
                Set.of(
                        Permission.SNAPSHOTS_READ,
                        Permission.PROJECT_ADMIN,
                        Permission.SERVICE_ADMIN));
    }

    private Optional<ProjectId> of(String project) {
        return Optional.of(scope.administered(project).id());
    }
}
