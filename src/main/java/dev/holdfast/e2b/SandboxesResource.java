package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.CreateRequest.Dialect;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Connected;
import dev.holdfast.restore.Connects;
import dev.holdfast.restore.NotStarted;
import dev.holdfast.restore.Opening;
import dev.holdfast.restore.Restores;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxQuery;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.sandbox.Sandboxes;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Sandboxes: create, connect, info, timeout, kill, in both dialects. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxesResource {

    @Inject Caller caller;
    @Inject Connects connects;
    @Inject Lifetimes lifetimes;
    @Inject Projects projects;
    @Inject Restores restores;
    @Inject Sandboxes sandboxes;
    @Inject SandboxEnds ends;
    @Inject SandboxTokens tokens;

    @POST
    @Path("sandboxes")
    @Audited(value = Action.SANDBOX_CREATE, type = "sandbox")
    public CompletionStage<Response> createV1(
            @HeaderParam("Idempotency-Key") String key, JsonValue body) {
        return create(Dialect.V1, key, body);
    }

    @POST
    @Path("v2/sandboxes")
    @Audited(value = Action.SANDBOX_CREATE, type = "sandbox")
    public CompletionStage<Response> createV2(
            @HeaderParam("Idempotency-Key") String key, JsonValue body) {
        return create(Dialect.V2, key, body);
    }

    @POST
    @Path("{path: (v2/)?sandboxes}/{id}/connect")
    @Audited(value = Action.SANDBOX_RESUME, type = "sandbox", id = "id")
    public CompletionStage<Response> connect(@PathParam("id") String id, JsonValue body) {
        boolean fromDisk = !Members.of(body).flag("memory").orElse(true);
        return connects.connect(
                        caller.project(), SandboxIds.read(id), lifetimes.orUsual(body), fromDisk)
                .thenApply(this::connected);
    }

    /** The call of clients before connect: only for a paused sandbox. */
    @POST
    @Path("sandboxes/{id}/resume")
    @Audited(value = Action.SANDBOX_RESUME, type = "sandbox", id = "id")
    public CompletionStage<Response> resume(@PathParam("id") String id, JsonValue body) {
        SandboxId sandbox = SandboxIds.read(id);
        Duration lifetime = lifetimes.orUsual(body);
        if (SandboxQuery.RUNNING.contains(sandboxes.getLive(caller.project(), sandbox).state())) {
            throw new Problem(Reason.SANDBOX_BUSY, "Sandbox " + sandbox + " is running already.");
        }
        return connects.connect(caller.project(), sandbox, lifetime, false)
                .thenApply(this::connected);
    }

    @GET
    @Path("sandboxes/{id}")
    public SandboxDetailView info(@PathParam("id") String id) {
        return SandboxDetailView.of(
                sandboxes.getLive(caller.project(), SandboxIds.read(id)), tokens);
    }

    @POST
    @Path("sandboxes/{id}/timeout")
    @Audited(value = Action.SANDBOX_CHANGE, type = "sandbox", id = "id")
    public void setTimeout(@PathParam("id") String id, JsonValue body) {
        Duration lifetime =
                lifetimes
                        .of(body)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.INVALID_PARAMETER,
                                                "\"timeout\" is missing. It is the number of"
                                                        + " seconds the sandbox shall live on."));
        sandboxes.setLifetime(caller.project(), SandboxIds.read(id), lifetime);
    }

    @DELETE
    @Path("sandboxes/{id}")
    @Audited(value = Action.SANDBOX_END, type = "sandbox", id = "id")
    public CompletionStage<Response> kill(@PathParam("id") String id) {
        return ends.kill(caller.actor(), SandboxIds.read(id))
                .thenApply(done -> Response.noContent().build());
    }

    /** Repeated with its key, a create answers with the sandbox that it made the first time. */
    private CompletionStage<Response> create(Dialect dialect, String key, JsonValue body) {
        Opening asked = CreateRequest.read(body, dialect);
        Opening opening =
                key == null ? asked : asked.named(Idempotency.of(key, dialect + body.toString()));
        Optional<String> slug = projects.get(caller.project()).slug().map(Slug::value);
        lifetimes.requireAllowed(opening);
        SandboxId id = restores.open(caller.actor(), slug, opening);
        return restores.outcome(id).thenApply(this::created);
    }

    private Response created(Sandbox sandbox) {
        if (sandbox.startedAt().isEmpty()) {
            throw NotStarted.of(sandbox);
        }
        return Response.status(Response.Status.CREATED)
                .entity(SandboxView.of(sandbox, tokens))
                .build();
    }

    private Response connected(Connected connected) {
        return Response.status(connected.resumed() ? Response.Status.CREATED : Response.Status.OK)
                .entity(SandboxView.of(connected.sandbox(), tokens))
                .build();
    }
}
