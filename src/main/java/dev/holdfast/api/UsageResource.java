package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.MetricSeriesReader;
import dev.holdfast.sandbox.SandboxId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What many sandboxes used lately, in one answer. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/usage")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class UsageResource {

    private static final int MOST = 100;
    private static final int LONGEST_MINUTES = 60;
    private static final int USUAL_MINUTES = 15;

    /** So many points of each at most: at one a minute an hour is 60. */
    private static final int POINTS = 60;

    @Inject DatabaseTime time;
    @Inject MetricSeriesReader metrics;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "getUsage",
            summary =
                    "What sandboxes used in the last minutes; those that are not there are left out")
    public UsageView get(
            @PathParam("project") String named,
            @QueryParam("sandbox") @Parameter(description = "Their IDs, 100 at most")
                    List<String> ids,
            @QueryParam("minutes")
                    @Parameter(
                            description = "15 if it is left out",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "60"))
                    String minutes) {
        Project project = scope.project(named);
        if (ids.size() > MOST) {
            throw Problem.invalid(
                    "sandbox", "\"sandbox\" can be given " + MOST + " times at most.");
        }
        Duration span = Duration.ofMinutes(minutes(minutes));
        Duration step = span.dividedBy(POINTS);
        Instant until = time.now();
        Instant from = until.minus(span);
        List<SandboxId> known =
                ids.stream()
                        .filter(SandboxId::isWellFormed)
                        .map(SandboxId::new)
                        .distinct()
                        .toList();
        return new UsageView(
                from,
                until,
                step.toSeconds(),
                metrics.of(project.id(), known, from, step).stream()
                        .map(UsageView.Series::of)
                        .toList());
    }

    private static int minutes(String text) {
        if (text == null || text.isEmpty()) {
            return USUAL_MINUTES;
        }
        if (!text.matches("[1-9]\\d?") || Integer.parseInt(text) > LONGEST_MINUTES) {
            throw Problem.invalid(
                    "minutes", "\"minutes\" is a whole number from 1 to " + LONGEST_MINUTES + ".");
        }
        return Integer.parseInt(text);
    }
}
