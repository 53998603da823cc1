package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.SandboxEnds;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Connects;
import dev.holdfast.restore.NotStarted;
import dev.holdfast.restore.Restores;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Profile;
import dev.holdfast.workbench.Profiles;
import dev.holdfast.workbench.Sessions;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Sessions of the Workbench: sandboxes that people open, save and load. */
@Tag(name = "sessions")
@Path("/projects/{project}/sessions")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SessionsResource {

    @Inject SessionAnswers answers;
    @Inject Caller caller;
    @Inject Connects connects;
    @Inject SandboxEnds ends;
    @Inject Profiles profiles;
    @Inject Restores restores;
    @Inject Scope scope;
    @Inject Sessions sessions;
    @Inject SnapshotAnswers snapshots;

    @GET
    @Operation(
            operationId = "listSessions",
            summary = "The project's sessions that have not ended, the newest first")
    public SessionsView list(@PathParam("project") String project) {
        return new SessionsView(
                sessions.list(scope.project(project).id()).stream().map(answers::row).toList());
    }

    @POST
    @Operation(
            operationId = "openSession",
            summary = "Open a session from a template, or load a snapshot into a new one",
            description =
                    "What the session runs with is its profile's. Other sessions stay as they are;"
                            + " to load a snapshot needs snapshots:read as well. Volumes are"
                            + " mounted into a session from a template; a snapshot brings its"
                            + " own.")
    @Audited(value = Action.SANDBOX_CREATE, type = "sandbox")
    @Refuses({
        Reason.MALFORMED_REFERENCE,
        Reason.QUOTA_COUNT_EXCEEDED,
        Reason.TEMPLATE_NOT_FOUND,
        Reason.SNAPSHOT_NOT_FOUND,
        Reason.SNAPSHOT_EXPIRED,
        Reason.SNAPSHOT_DELETED,
        Reason.SNAPSHOT_NOT_SAVED,
        Reason.INCOMPATIBLE_RUNTIME,
        Reason.MISSING_PART,
        Reason.CORRUPT_PART,
        Reason.VOLUME_NOT_FOUND,
        Reason.VOLUME_DELETED,
        Reason.VOLUME_ELSEWHERE,
        Reason.GENERATION_UNSUPPORTED,
        Reason.TEMPLATE_NOT_READY,
        Reason.START_FAILED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_BUSY,
        Reason.SERVER_STOPPING
    })
    @APIResponse(
            responseCode = "201",
            description = "It runs",
            content = @Content(schema = @Schema(implementation = SessionView.class)))
    @APIResponse(
            responseCode = "202",
            description = "It starts, as Prefer: respond-async allows; Location tells how it goes",
            content = @Content(schema = @Schema(implementation = SessionView.class)))
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = SessionRequest.class)))
    public CompletionStage<Response> open(
            @PathParam("project") String named,
            @HeaderParam(Preference.HEADER) List<String> prefer,
            SessionRequest body) {
        Project project = scope.project(named);
        SessionRequest asked = body == null ? SessionRequest.NOTHING : body;
        String reference = asked.reference();
        if (asked.isLoad()) {
            caller.require(Permission.SNAPSHOTS_READ);
            reference = snapshots.found(project, reference).id().toString();
        }
        Profile profile = profiles.named(asked.chosen(), project.limit().longestLifetime());
        Preference preference = Preference.of(prefer);
        SandboxId id =
                sessions.open(
                        caller.actor(),
                        project.slug().map(Slug::value),
                        reference,
                        asked.mounting(),
                        profile);
        CompletionStage<Response> outcome =
                restores.outcome(id).thenApply(sandbox -> opened(project, sandbox));
        return preference.async()
                ? CompletableFuture.completedStage(
                        preference.marked(answer(Response.Status.ACCEPTED, project, id), true))
                : outcome;
    }

    private Response opened(Project project, Sandbox sandbox) {
        if (sandbox.startedAt().isEmpty()) {
            throw NotStarted.of(sandbox);
        }
        return answer(Response.Status.CREATED, project, sandbox.id()).build();
    }

    private Response.ResponseBuilder answer(Response.Status status, Project project, SandboxId id) {
        return Response.status(status)
                .header(
                        HttpHeaders.LOCATION,
                        "/api/v1/projects/" + project.id() + "/sessions/" + id)
                .entity(answers.view(sessions.get(project.id(), id)));
    }

    @GET
    @Path("{id}")
    @Operation(
            operationId = "getSession",
            summary = "A sandbox as a session, also one that has ended, and what it uses")
    public SessionView get(@PathParam("project") String project, @PathParam("id") String id) {
        return answers.view(sessions.get(scope.project(project).id(), SandboxAnswers.id(id)));
    }

    @PUT
    @Path("{id}/tab")
    @Operation(
            operationId = "holdSession",
            summary = "Say that a browser tab has a session open",
            description =
                    "Again at least every 30 seconds. One tab has it: another is refused, unless it"
                            + " takes it over. A sandbox that was made elsewhere becomes a session.")
    @Refuses(Reason.SESSION_ELSEWHERE)
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = TabRequest.class)))
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public SessionView hold(
            @PathParam("project") String project, @PathParam("id") String id, TabRequest body) {
        scope.project(project);
        TabRequest tab = body == null ? new TabRequest(null, null) : body;
        return answers.view(
                sessions.hold(caller.actor(), SandboxAnswers.id(id), tab.id(), tab.takes()));
    }

    @DELETE
    @Path("{id}/tab")
    @Operation(operationId = "releaseSession", summary = "Say that a browser tab was closed")
    @APIResponse(responseCode = "204", description = "The tab does not have it")
    @Audited(value = Action.SANDBOX_USE, type = "sandbox", id = "id")
    public void release(
            @PathParam("project") String project,
            @PathParam("id") String id,
            @Parameter(
                            description = "The tab, as it called itself",
                            schema = @Schema(format = "uuid"))
                    @QueryParam("tab")
                    String tab) {
        sessions.release(scope.project(project).id(), SandboxAnswers.id(id), TabRequest.read(tab));
    }

    @POST
    @Path("{id}/extend")
    @Operation(
            operationId = "extendSession",
            summary = "Let a session live on for its profile's time from now, if that is longer")
    @Audited(value = Action.SANDBOX_CHANGE, type = "sandbox", id = "id")
    @Refuses({Reason.SANDBOX_BUSY, Reason.SANDBOX_NOT_RUNNING, Reason.WORKER_UNREACHABLE})
    public SessionView extend(@PathParam("project") String named, @PathParam("id") String id) {
        Project project = scope.project(named);
        SandboxId sandbox = SandboxAnswers.id(id);
        return answers.view(sessions.extend(project.id(), sandbox, lifetime(project, sandbox)));
    }

    @POST
    @Path("{id}/continue")
    @Operation(
            operationId = "continueSession",
            summary = "Let a session that was paused go on where it was")
    @Audited(value = Action.SANDBOX_RESUME, type = "sandbox", id = "id")
    @Refuses({
        Reason.SANDBOX_BUSY,
        Reason.START_FAILED,
        Reason.NO_WORKER,
        Reason.BROKER_UNAVAILABLE,
        Reason.WORKER_UNREACHABLE,
        Reason.WORKER_BUSY,
        Reason.SERVER_STOPPING
    })
    public CompletionStage<SessionView> goOn(
            @PathParam("project") String named, @PathParam("id") String id) {
        Project project = scope.project(named);
        SandboxId sandbox = SandboxAnswers.id(id);
        return connects.connect(project.id(), sandbox, lifetime(project, sandbox), false)
                .thenApply(connected -> answers.view(sessions.get(project.id(), sandbox)));
    }

    /** As its profile says now; that of a sandbox that was made elsewhere is its own. */
    private Duration lifetime(Project project, SandboxId id) {
        Duration longest = project.limit().longestLifetime();
        Sessions.Opened opened = sessions.get(project.id(), id);
        Optional<Duration> profiles =
                opened.session()
                        .profile()
                        .flatMap(name -> known(name, longest))
                        .map(Profile::lifetime);
        Duration asked = profiles.orElse(opened.sandbox().lifetime());
        return asked.compareTo(longest) < 0 ? asked : longest;
    }

    private Optional<Profile> known(String name, Duration longest) {
        return profiles.within(longest).stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    @DELETE
    @Path("{id}")
    @Operation(
            operationId = "endSession",
            summary = "End a session; what was not saved is gone",
            description = "Who did not open it needs sandboxes:manage.")
    @Audited(value = Action.SANDBOX_END, type = "sandbox", id = "id")
    @APIResponse(responseCode = "204", description = "It has ended")
    @Refuses(Reason.SANDBOX_BUSY)
    public CompletionStage<Response> end(
            @PathParam("project") String project, @PathParam("id") String id) {
        scope.project(project);
        return ends.kill(caller.actor(), SandboxAnswers.id(id))
                .thenApply(done -> Response.noContent().build());
    }
}
