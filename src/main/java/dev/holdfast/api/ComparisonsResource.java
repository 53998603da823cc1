package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.contents.Change.Kind;
import dev.holdfast.contents.ChangeRows;
import dev.holdfast.contents.Comparison;
import dev.holdfast.contents.Comparisons;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What differs between two snapshots. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots/{reference}/comparisons")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SNAPSHOTS_READ)
public class ComparisonsResource {

    @Inject ComparisonAnswers answers;
    @Inject Caller caller;
    @Inject ChangeRows rows;
    @Inject Comparisons comparisons;
    @Inject Scope scope;
    @Inject SnapshotAnswers snapshots;

    @POST
    @Operation(
            operationId = "compareSnapshots",
            summary = "Compare a snapshot with another: files, processes, environment, packages",
            description =
                    "A comparison that is there, or under way, is answered and not made again."
                            + " Needs sandboxes:use as well.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = ComparisonRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "It is done; Location is where it stays",
            content = @Content(schema = @Schema(implementation = ComparisonView.class)))
    @APIResponse(
            responseCode = "202",
            description = "It goes on, as Prefer: respond-async allows; Location tells how far",
            content = @Content(schema = @Schema(implementation = ComparisonView.class)))
    @Audited(value = Action.SNAPSHOT_COMPARE, type = "snapshot", id = "reference")
    @Refuses({
        Reason.SNAPSHOT_NOT_SAVED,
        Reason.INCOMPATIBLE_RUNTIME,
        Reason.MISSING_PART,
        Reason.CORRUPT_PART,
        Reason.VOLUME_DELETED,
        Reason.VOLUME_ELSEWHERE,
        Reason.COMPARISON_CANCELLED,
        Reason.COMPARISON_NOT_FOUND,
        Reason.COMPARISON_FAILED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_BUSY,
        Reason.COMPARISON_IN_PROGRESS
    })
    public CompletionStage<Response> compare(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(Preference.HEADER) List<String> prefer,
            JsonValue body) {
        Project project = scope.project(named);
        return answers.answer(
                caller.actor(),
                project.slug().map(Slug::value),
                ComparisonRequest.read(body).since(),
                reference,
                Preference.of(prefer));
    }

    @GET
    @Path("{comparison}")
    @Operation(
            operationId = "getComparison",
            summary = "A comparison: how far it is, and in short what differs",
            description = "Needs sandboxes:use as well.")
    @APIResponse(
            responseCode = "200",
            description = "As it is now",
            content = @Content(schema = @Schema(implementation = ComparisonView.class)))
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    public ComparisonView get(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @PathParam("comparison") String id) {
        return answers.view(found(named, reference, id));
    }

    @GET
    @Path("{comparison}/changes")
    @Operation(
            operationId = "listChanges",
            summary = "The paths that differ, in the order of their bytes",
            description =
                    "None before it is done. Times alone are no change. Needs sandboxes:use as"
                            + " well.")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = ChangePage.class)))
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    public ChangePage changes(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @PathParam("comparison") String id,
            @Parameter(
                            description = "Only of one kind",
                            schema = @Schema(enumeration = {"added", "removed", "changed"}))
                    @QueryParam("kind")
                    String kind,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        Comparison comparison = found(named, reference, id);
        int most = Cursor.limit(limit);
        return ChangePage.of(
                rows.page(comparison.id(), kind(kind), position(after), most + 1), most);
    }

    @DELETE
    @Path("{comparison}")
    @Operation(
            operationId = "endComparison",
            summary = "End a comparison that is under way; forget one that has ended",
            description = "Needs sandboxes:use as well.")
    @APIResponse(responseCode = "204", description = "It is ended, or forgotten")
    @Audited(value = Action.SNAPSHOT_COMPARE, type = "snapshot", id = "reference")
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    public void end(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @PathParam("comparison") String id) {
        Comparison found = found(named, reference, id);
        comparisons.cancel(caller.actor(), found.other(), found.id());
    }

    private Comparison found(String named, String reference, String id) {
        Project project = scope.project(named);
        return comparisons.get(caller.actor(), snapshots.found(project, reference).id(), uuid(id));
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Problem(
                    Reason.COMPARISON_NOT_FOUND,
                    "There is no such comparison. Its ID is a UUID, as its order was answered.");
        }
    }

    private static Optional<Kind> kind(String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        for (Kind each : Kind.values()) {
            if (each.word().equals(text)) {
                return Optional.of(each);
            }
        }
        throw Problem.invalid("kind", "\"kind\" is added, removed or changed.");
    }

    private static int position(String after) {
        if (after == null || after.isEmpty()) {
            return -1;
        }
        if (!after.matches("[0-9]{1,9}")) {
            throw Problem.invalid(
                    "after", "\"after\" is what this list gave as next. Start without it.");
        }
        return Integer.parseInt(after);
    }
}
