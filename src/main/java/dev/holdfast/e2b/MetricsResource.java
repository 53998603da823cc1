package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.Metrics;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a sandbox used. */
@Path("sandboxes/{id}/metrics")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class MetricsResource {

    /** Beyond it no database has a moment; about the year 33000. */
    private static final long LAST_SECOND = 1_000_000_000_000L;

    @Inject Caller caller;
    @Inject Metrics metrics;
    @Inject Sandboxes sandboxes;

    @GET
    public List<MetricView> list(
            @PathParam("id") String id,
            @QueryParam("start") String start,
            @QueryParam("end") String end) {
        SandboxId sandbox = SandboxIds.read(id);
        sandboxes.getLive(caller.project(), sandbox);
        Optional<Instant> from = moment("start", start);
        Optional<Instant> until = moment("end", end);
        if (from.isPresent() && until.isPresent() && from.get().isAfter(until.get())) {
            throw invalid("start", "is not after \"end\"");
        }
        return metrics.of(sandbox, from, until).stream().map(MetricView::of).toList();
    }

    private static Optional<Instant> moment(String parameter, String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        if (!text.matches("[0-9]{1,13}") || Long.parseLong(text) > LAST_SECOND) {
            throw invalid(parameter, "is a moment in seconds since 1970");
        }
        return Optional.of(Instant.ofEpochSecond(Long.parseLong(text)));
    }

    private static Problem invalid(String parameter, String rule) {
        return Problem.invalid(parameter, "\"" + parameter + "\" " + rule + ".");
    }
}
