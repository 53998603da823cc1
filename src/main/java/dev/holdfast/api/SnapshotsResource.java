package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.Overrides;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.NotStarted;
import dev.holdfast.restore.Opening;
import dev.holdfast.restore.References;
import dev.holdfast.restore.Restores;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.snapshot.Gone;
import dev.holdfast.snapshot.RemovalReason;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotQuery;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.Standing;
import dev.holdfast.snapshot.Verdicts;
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
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Snapshots, each named by its ID or, with its slash encoded, by its qualified name. */
@Path("/projects/{project}/snapshots")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed(Permission.Word.SNAPSHOTS_READ)
public class SnapshotsResource {

    private static final int MOST = 100;
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
    private static final String DRY_RUN = "dryRun";

    @Inject Caller caller;
    @Inject Overrides overrides;
    @Inject References references;
    @Inject Restores restores;
    @Inject Retentions retentions;
    @Inject SandboxTokens tokens;
    @Inject Scope scope;
    @Inject Snapshots snapshots;
    @Inject Verdicts verdicts;

    @GET
    @Operation(summary = "Snapshots that are saved and not expired, newest first")
    public SnapshotPage list(
            @PathParam("project") String named,
            @QueryParam("limit") String limit,
            @QueryParam("after") String after) {
        Project project = scope.project(named);
        int most = limit(limit);
        List<Snapshot> found =
                snapshots.list(
                        project.id(),
                        new SnapshotQuery(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.ofNullable(after).map(SnapshotsResource::place),
                                most + 1));
        List<Snapshot> page = found.stream().limit(most).toList();
        Map<SnapshotId, Standing> standings = verdicts.standings(page);
        return new SnapshotPage(
                page.stream()
                        .filter(each -> standings.containsKey(each.id()))
                        .map(
                                each ->
                                        SnapshotView.of(
                                                each, standings.get(each.id()), project.slug()))
                        .toList(),
                found.size() > page.size() ? token(page.get(page.size() - 1)) : null);
    }

    @GET
    @Path("{reference}")
    @Operation(summary = "A snapshot, whatever its state, with its verdict and its occupants")
    @APIResponse(responseCode = "200", description = "ETag is what If-Match of a change compares")
    @Transactional
    public Response get(
            @PathParam("project") String named, @PathParam("reference") String reference) {
        Project project = scope.project(named);
        return view(project, references.snapshot(project.id(), slug(project), reference));
    }

    @PATCH
    @Path("{reference}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(summary = "Another expiry, sooner or later, within the project's policy")
    @Transactional
    @Audited(value = Action.SNAPSHOT_CHANGE, type = "snapshot", id = "reference")
    public Response change(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            ExpiryRequest body) {
        Project project = scope.project(named);
        ExpiryRequest asked = body == null ? new ExpiryRequest(null, null) : body;
        Snapshot snapshot = references.locked(project.id(), slug(project), reference);
        return view(
                project,
                retentions.expire(project.id(), snapshot.id(), asked.from(), version(ifMatch)));
    }

    @DELETE
    @Path("{reference}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Operation(summary = "Delete a snapshot; its name is free at once, its objects go later")
    @APIResponse(responseCode = "409", description = "snapshot_occupied lists the occupants")
    // A deletion asked for again is refused and has the clean-up tried again, both.
    @Transactional(dontRollbackOn = Problem.class)
    @Audited(value = Action.SNAPSHOT_DELETE, type = "snapshot", id = "reference")
    public void delete(
            @PathParam("project") String named, @PathParam("reference") String reference) {
        Project project = scope.project(named);
        Snapshot snapshot = references.locked(project.id(), slug(project), reference);
        if (!snapshots.delete(snapshot)) {
            throw new Gone(
                            snapshot.id(),
                            snapshot.removalReason().orElse(RemovalReason.EXPIRED),
                            snapshot.expiresAt().orElse(snapshot.createdAt()))
                    .problem();
        }
    }

    @POST
    @Path("{reference}/restore")
    @Operation(summary = "A sandbox from a snapshot; with dryRun only whether that would be taken")
    @APIResponse(responseCode = "200", description = "The verdict of a dry run")
    @APIResponse(responseCode = "201", description = "It runs; the report says what was cut")
    @Audited(value = Action.SANDBOX_RESTORE, type = "snapshot", id = "reference")
    public CompletionStage<Response> restore(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam(DRY_RUN) String dryRun,
            @HeaderParam("Idempotency-Key") String key,
            JsonValue body) {
        Project project = scope.project(named);
        // Only a snapshot: as the origin of a create the same text may also be a template.
        SnapshotId id = references.snapshot(project.id(), slug(project), reference).id();
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
        SandboxView view = SandboxView.of(sandbox, tokens);
        return Response.status(Response.Status.CREATED)
                .header(
                        HttpHeaders.LOCATION,
                        "/api/v1/projects/" + project.id() + "/sandboxes/" + sandbox.id())
                .entity(new RestoredView(view, view.restore()))
                .build();
    }

    private Response view(Project project, Snapshot snapshot) {
        return Response.ok(SnapshotView.of(snapshot, verdicts.standing(snapshot), project.slug()))
                .tag(new EntityTag(Long.toString(snapshot.version())))
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
        throw invalid(DRY_RUN, "\"dryRun\" is true or false.");
    }

    private static boolean isDry(JsonValue body) {
        JsonValue value = body instanceof JsonObject members ? members.get(DRY_RUN) : null;
        if (value == null || value == JsonValue.NULL || value == JsonValue.FALSE) {
            return false;
        }
        if (value == JsonValue.TRUE) {
            return true;
        }
        throw invalid(DRY_RUN, "\"dryRun\" is true or false.");
    }

    /** A tag that is none of ours matches nothing, as a version that never was. */
    private static OptionalLong version(String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return OptionalLong.empty();
        }
        String text = ifMatch.strip();
        return OptionalLong.of(
                text.matches("\"[0-9]{1,18}\"")
                        ? Long.parseLong(text.substring(1, text.length() - 1))
                        : -1);
    }

    private static int limit(String text) {
        if (text == null || text.isEmpty()) {
            return MOST;
        }
        if (!text.matches("[0-9]{1,3}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > MOST) {
            throw invalid("limit", "\"limit\" is a number from 1 to " + MOST + ".");
        }
        return Integer.parseInt(text);
    }

    private static String token(Snapshot last) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        (last.createdAt() + " " + last.id()).getBytes(StandardCharsets.UTF_8));
    }

    private static SnapshotQuery.Place place(String token) {
        try {
            String[] parts =
                    new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8)
                            .split(" ", -1);
            Optional<SnapshotId> id =
                    parts.length == 2 ? SnapshotId.parse(parts[1]) : Optional.empty();
            Instant moment = Instant.parse(parts[0]);
            if (id.isPresent() && moment.isAfter(Instant.EPOCH) && moment.isBefore(FAR)) {
                return new SnapshotQuery.Place(moment, id.get());
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            // refused below like a token of another list
        }
        throw invalid("after", "\"after\" is what this list gave as next. Start without it.");
    }

    private static Problem invalid(String parameter, String rule) {
        return new Problem(Reason.INVALID_PARAMETER, rule).with("parameter", parameter);
    }
}
