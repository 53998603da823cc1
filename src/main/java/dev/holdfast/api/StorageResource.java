package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.problem.Problem;
import dev.holdfast.quota.Summaries;
import dev.holdfast.quota.Summary;
import dev.holdfast.quota.UsageDays;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What a project may store and stores. */
@Tag(name = "storage")
@Path("/projects/{project}/storage")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({
    Permission.Word.SNAPSHOTS_READ,
    Permission.Word.PROJECT_ADMIN,
    Permission.Word.SERVICE_ADMIN
})
public class StorageResource {

    private static final int MOST_DAYS = 90;

    @Inject Scope scope;
    @Inject Summaries summaries;
    @Inject UsageDays days;

    @GET
    @Operation(
            operationId = "getStorage",
            summary = "Limits, what is used of them and by what, at one moment")
    public StorageView get(@PathParam("project") String project) {
        Summary summary = summaries.of(scope.administered(project).id());
        return StorageView.of(summary, summaries.warnings(summary));
    }

    @GET
    @Path("history")
    @Operation(
            operationId = "getStorageHistory",
            summary = "What was stored on each of the last days (UTC), the oldest first")
    public StorageHistoryView history(
            @PathParam("project") String project,
            @Parameter(
                            description = "How many days, today included; 90 if it is left out",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "90"))
                    @QueryParam("days")
                    String many) {
        return StorageHistoryView.of(days.history(scope.administered(project).id(), number(many)));
    }

    private static int number(String text) {
        if (text == null) {
            return MOST_DAYS;
        }
        if (!text.matches("[1-9]\\d?") || Integer.parseInt(text) > MOST_DAYS) {
            throw Problem.invalid(
                    "days", "\"days\" is a whole number from 1 to " + MOST_DAYS + ".");
        }
        return Integer.parseInt(text);
    }
}
