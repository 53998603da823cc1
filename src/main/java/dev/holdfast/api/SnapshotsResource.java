package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.Overrides;
import dev.holdfast.inventory.BulkDeletion;
import dev.holdfast.inventory.Listing;
import dev.holdfast.inventory.Listings;
import dev.holdfast.inventory.Page;
import dev.holdfast.inventory.Place;
import dev.holdfast.inventory.Search;
import dev.holdfast.inventory.Selection;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.NotStarted;
import dev.holdfast.restore.Opening;
import dev.holdfast.restore.Restores;
import dev.holdfast.retention.Policies;
import dev.holdfast.retention.Regime;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.snapshot.Annotations;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.Standing;
import dev.holdfast.snapshot.Verdicts;
import dev.holdfast.template.Templates;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Snapshots, each named by its ID or, with its slash encoded, by its qualified name. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed(Permission.Word.SNAPSHOTS_READ)
public class SnapshotsResource {

    private static final String DRY_RUN = "dryRun";

    @Inject Annotations annotations;
    @Inject SnapshotAnswers answers;
    @Inject BulkDeletion bulk;
    @Inject Caller caller;
    @Inject Listings listings;
    @Inject Overrides overrides;
    @Inject Policies policies;
    @Inject Restores restores;
    @Inject Retentions retentions;
    @Inject SandboxTokens tokens;
    @Inject Scope scope;
    @Inject Snapshots snapshots;
    @Inject Templates templates;
    @Inject Verdicts verdicts;

    @GET
    @Operation(
            operationId = "listSnapshots",
            summary = "Snapshots by status, filters and order, page by page",
            description =
                    "By cursor: give next as after, or previous as before. By number: give page,"
                            + " up to the first 10000 rows, and get the total. A query parameter"
                            + " that is none of these is refused.")
    @Transactional
    @APIResponse(responseCode = "200", description = "A page; it may be empty")
    @Refuses(Reason.MALFORMED_NAME)
    public SnapshotPage list(
            @PathParam("project") String named,
            @QueryParam("status")
                    @Parameter(
                            description =
                                    "What has expired awaits its clean-up; pauses are in no list",
                            schema =
                                    @Schema(
                                            enumeration = {
                                                "saved",
                                                "uploads",
                                                "awaitingCleanup",
                                                "trashed",
                                                "all"
                                            },
                                            defaultValue = "saved"))
                    String status,
            @QueryParam("search")
                    @Parameter(
                            description =
                                    "Part of a snapshot ID, an upload ID or a name, at least 3"
                                            + " characters, in any case",
                            schema = @Schema(minLength = Search.LEAST, maxLength = 400))
                    String search,
            @QueryParam("sourceSandboxId")
                    @Parameter(
                            description = "The ID of the sandbox that was saved",
                            schema = @Schema(pattern = "^[a-z0-9]{1,64}$"))
                    String source,
            @QueryParam("templateId") @Parameter(description = "A template's ID or its name")
                    String template,
            @QueryParam("createdBy") @Parameter(description = "Who made it, such as key:ID")
                    String creator,
            @QueryParam("restorable")
                    @Parameter(
                            description = "Whether a restore would be taken now",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    String restorable,
            @QueryParam("verdict")
                    @Parameter(
                            description = "The reason of the verdict",
                            schema =
                                    @Schema(
                                            enumeration = {
                                                "restorable",
                                                "restore_failed",
                                                "expired",
                                                "not_saved",
                                                "missing_part",
                                                "corrupt_part",
                                                "incompatible_runtime",
                                                "volume_deleted",
                                                "volume_elsewhere",
                                                "no_worker"
                                            }))
                    String verdict,
            @QueryParam("name") @Parameter(description = "[slug/]short[:tag]") String name,
            @QueryParam("tag") @Parameter(description = "The tag of its name") String tag,
            @QueryParam("label")
                    @Parameter(description = "key=value; given several times, all have to be there")
                    List<String> labels,
            @QueryParam("expiringWithin")
                    @Parameter(
                            description = "Seconds from now",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1"))
                    String expiringWithin,
            @QueryParam("sort")
                    @Parameter(
                            description = "What the list is ordered by",
                            schema =
                                    @Schema(
                                            enumeration = {"created", "size", "expiry", "name"},
                                            defaultValue = "created"))
                    String sort,
            @QueryParam("direction")
                    @Parameter(
                            description =
                                    "desc for created and size, asc for expiry and name, if absent",
                            schema = @Schema(enumeration = {"asc", "desc"}))
                    String direction,
            @QueryParam("limit")
                    @Parameter(
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "100",
                                            defaultValue = "100"))
                    String limit,
            @QueryParam("after") @Parameter(description = "The next of a page") String after,
            @QueryParam("before") @Parameter(description = "The previous of a page") String before,
            @QueryParam("page")
                    @Parameter(
                            description = "From 1, within the first 10000 rows",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1"))
                    String page,
            @Context UriInfo uri) {
        ListQuery query = new ListQuery(uri.getQueryParameters());
        Project project = scope.project(named);
        Selection selection =
                query.selection()
                        .selection(project.slug(), reference -> template(project, reference));
        Listing first =
                Listing.first(
                        project.id(), project.slug(), selection, query.order(), query.limit());
        OptionalInt number = query.page();
        Listing asked =
                number.isPresent()
                        ? first.skipping((number.getAsInt() - 1) * first.limit())
                        : query.place(first);
        Page found = listings.page(asked);
        return page(
                project,
                asked,
                found,
                number.isPresent()
                        ? Optional.of(listings.sums(project.id(), project.slug(), selection))
                        : Optional.empty());
    }

    private SnapshotPage page(
            Project project, Listing asked, Page found, Optional<Listings.Sums> sums) {
        List<Snapshot> rows = found.snapshots();
        Map<SnapshotId, Standing> standings = verdicts.standings(rows);
        Regime regime = policies.regime(project.id());
        boolean behind = asked.backwards() || found.more();
        boolean before =
                asked.backwards() ? found.more() : asked.from().isPresent() || asked.skip() > 0;
        return new SnapshotPage(
                rows.stream()
                        .filter(each -> standings.containsKey(each.id()))
                        .map(
                                each ->
                                        SnapshotView.row(
                                                each,
                                                standings.get(each.id()),
                                                project.slug(),
                                                regime))
                        .toList(),
                behind && !rows.isEmpty() ? token(asked, rows.get(rows.size() - 1)) : null,
                before && !rows.isEmpty() ? token(asked, rows.get(0)) : null,
                sums.map(x -> asked.skip() / asked.limit() + 1).orElse(null),
                sums.map(Listings.Sums::count).orElse(null),
                sums.map(Listings.Sums::exact).orElse(null));
    }

    private static String token(Listing asked, Snapshot at) {
        return Place.of(at, asked.order().sort())
                .token(asked.project(), asked.selection(), asked.order());
    }

    /**
     * By name if one is called so; the ID of one that is deleted still tells what is made of it.
     */
    private String template(Project project, String reference) {
        return templates
                .find(project.id(), reference)
                .map(found -> found.id().value())
                .orElse(reference);
    }

    @GET
    @Path("{reference}")
    @Operation(
            operationId = "getSnapshot",
            summary = "A snapshot, whatever its state, with its verdict and its occupants")
    @Transactional
    @APIResponse(
            responseCode = "200",
            description = "As it is now",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    public Response get(
            @PathParam("project") String named, @PathParam("reference") String reference) {
        Project project = scope.project(named);
        return answers.ok(project, answers.found(project, reference));
    }

    @PATCH
    @Path("{reference}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(
            operationId = "changeSnapshot",
            summary = "Another expiry within the project's policy, another note, other labels",
            description = "A merge patch: what is absent stays, null removes a note or a label.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = ChangeRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "As it is now; ETag is its new version",
            content = @Content(schema = @Schema(implementation = SnapshotView.class)))
    @Transactional
    @Audited(value = Action.SNAPSHOT_CHANGE, type = "snapshot", id = "reference")
    @Refuses(Reason.SNAPSHOT_NOT_SAVED)
    public Response change(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        Project project = scope.project(named);
        ChangeRequest.Read asked = ChangeRequest.read(body);
        Snapshot snapshot = answers.locked(project, reference);
        OptionalLong seen = Tags.version(ifMatch);
        if (!asked.annotation().isEmpty()) {
            snapshot = annotations.change(project.id(), snapshot.id(), asked.annotation(), seen);
            // Its version is another one now, and was compared.
            seen = OptionalLong.empty();
        }
        if (asked.expiry().isPresent()) {
            snapshot =
                    retentions.expire(
                            project.id(), snapshot.id(), asked.expiry().get().from(), seen);
        }
        return answers.ok(project, snapshot);
    }

    @DELETE
    @Path("{reference}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(
            operationId = "deleteSnapshot",
            summary = "Delete a snapshot; its name is free at once, its objects go later")
    // A deletion asked for again is refused and has the clean-up tried again, both.
    @Transactional(dontRollbackOn = Problem.class)
    @Audited(value = Action.SNAPSHOT_DELETE, type = "snapshot", id = "reference")
    @Refuses({
        Reason.SNAPSHOT_OCCUPIED,
        Reason.SNAPSHOT_PINNED,
        Reason.SNAPSHOT_HELD,
        Reason.SNAPSHOT_NOT_SAVED
    })
    @APIResponse(responseCode = "204", description = "It is on its way out")
    public void delete(
            @PathParam("project") String named, @PathParam("reference") String reference) {
        Project project = scope.project(named);
        Snapshot snapshot = answers.locked(project, reference);
        if (!snapshots.delete(snapshot)) {
            throw snapshot.gone().problem();
        }
    }

    @POST
    @Path("delete")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Audited(value = Action.SNAPSHOT_DELETE, type = "snapshot")
    @Operation(
            operationId = "deleteSnapshots",
            summary = "Delete many snapshots, or with preview only tell what that would meet",
            description =
                    "By ids, up to 1000, or by the filter of the list, which has to be previewed"
                            + " first. Each item has an outcome of its own, and failed is what to"
                            + " give as ids to try again what failed.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = DeletionRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "What a preview sees, or one outcome for each item",
            content =
                    @Content(
                            schema =
                                    @Schema(
                                            oneOf = {
                                                DeletionView.class,
                                                DeletionPreviewView.class
                                            })))
    @Refuses(Reason.MALFORMED_NAME)
    public Response delete(@PathParam("project") String named, JsonValue body) {
        Project project = scope.project(named);
        DeletionRequest asked = DeletionRequest.of(body);
        Optional<Selection> filter =
                Optional.ofNullable(asked.filter())
                        .map(
                                each ->
                                        each.selection(
                                                project.slug(),
                                                reference -> template(project, reference)));
        if (asked.preview()) {
            BulkDeletion.Preview preview =
                    bulk.preview(
                            project.id(),
                            project.slug(),
                            filter.orElseGet(() -> Selection.of(asked.snapshots())));
            return Response.ok(
                            DeletionPreviewView.of(
                                    preview,
                                    verdicts.standings(preview.occupied()),
                                    filter.isPresent()))
                    .build();
        }
        BulkDeletion.Outcome outcome =
                filter.map(
                                each ->
                                        bulk.delete(
                                                project.id(),
                                                project.slug(),
                                                each,
                                                asked.previewed()))
                        .orElseGet(() -> bulk.delete(project.id(), asked.snapshots()));
        return Response.ok(DeletionView.of(outcome)).build();
    }

    @POST
    @Path("{reference}/restore")
    @Operation(
            operationId = "restoreSnapshot",
            summary = "A sandbox from a snapshot; with dryRun only whether that would be taken")
    @Audited(value = Action.SANDBOX_RESTORE, type = "snapshot", id = "reference")
    @Refuses({
        Reason.OVERRIDE_FORBIDDEN,
        Reason.UNSUPPORTED_PARAMETER,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.SNAPSHOT_NOT_SAVED,
        Reason.INCOMPATIBLE_RUNTIME,
        Reason.MISSING_PART,
        Reason.CORRUPT_PART,
        Reason.VOLUME_DELETED,
        Reason.VOLUME_ELSEWHERE,
        Reason.GENERATION_UNSUPPORTED,
        Reason.SANDBOX_ID_TAKEN,
        Reason.START_FAILED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_BUSY,
        Reason.SERVER_STOPPING
    })
    @APIResponse(
            responseCode = "200",
            description = "The verdict of a dry run",
            content = @Content(schema = @Schema(implementation = VerdictView.class)))
    @APIResponse(
            responseCode = "201",
            description = "It runs; the report says what was cut",
            content = @Content(schema = @Schema(implementation = RestoredView.class)))
    @RequestBody(content = @Content(schema = @Schema(implementation = RestoreRequest.class)))
    public CompletionStage<Response> restore(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam(DRY_RUN)
                    @Parameter(
                            description = "true: only say whether it would be taken",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    String dryRun,
            @HeaderParam("Idempotency-Key") String key,
            JsonValue body) {
        Project project = scope.project(named);
        // Only a snapshot: as the origin of a create the same text may also be a template.
        SnapshotId id = answers.found(project, reference).id();
        Opening asked = overrides.read(id.toString(), body);
        if (isDry(dryRun) || isDry(body)) {
            return CompletableFuture.completedStage(
                    Response.ok(
                                    VerdictView.of(
                                            restores.judge(caller.actor(), slug(project), asked)))
                            .build());
        }
        caller.require(Permission.SANDBOXES_USE);
        Opening opening =
                key == null ? asked : asked.named(Idempotency.of(key, "restore " + id + body));
        return restores.outcome(restores.open(caller.actor(), slug(project), opening))
                .thenApply(sandbox -> restored(project, sandbox));
    }

    private Response restored(Project project, Sandbox sandbox) {
        if (sandbox.startedAt().isEmpty()) {
            throw NotStarted.of(sandbox);
        }
        SandboxView view = SandboxView.of(sandbox, tokens, Optional.empty());
        return Response.status(Response.Status.CREATED)
                .header(
                        HttpHeaders.LOCATION,
                        "/api/v1/projects/" + project.id() + "/sandboxes/" + sandbox.id())
                .entity(new RestoredView(view, view.restore()))
                .build();
    }

    private static Optional<String> slug(Project project) {
        return project.slug().map(Slug::value);
    }

    /** Whoever mistypes it must not get a sandbox. */
    private static boolean isDry(String text) {
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.isEmpty() || text.equals("true")) {
            return true;
        }
        throw Problem.invalid(DRY_RUN, "\"dryRun\" is true or false.");
    }

    private static boolean isDry(JsonValue body) {
        JsonValue value = body instanceof JsonObject members ? members.get(DRY_RUN) : null;
        if (value == null || value == JsonValue.NULL || value == JsonValue.FALSE) {
            return false;
        }
        if (value == JsonValue.TRUE) {
            return true;
        }
        throw Problem.invalid(DRY_RUN, "\"dryRun\" is true or false.");
    }
}
