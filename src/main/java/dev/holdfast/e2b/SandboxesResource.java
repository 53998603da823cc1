package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.e2b.CreateRequest.Dialect;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Opening;
import dev.holdfast.restore.Restores;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
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

    private static final Duration DEFAULT_LIFETIME = Duration.ofSeconds(300);

    @Inject Caller caller;
    @Inject Projects projects;
    @Inject Restores restores;
    @Inject Sandboxes sandboxes;
    @Inject SandboxEnds ends;
    @Inject SandboxTokens tokens;

    @POST
    @Path("sandboxes")
    public CompletionStage<Response> createV1(JsonValue body) {
        return create(CreateRequest.read(body, Dialect.V1));
    }

    @POST
    @Path("v2/sandboxes")
    public CompletionStage<Response> createV2(JsonValue body) {
        return create(CreateRequest.read(body, Dialect.V2));
    }

    @POST
    @Path("{path: (v2/)?sandboxes}/{id}/connect")
    public Response connect(@PathParam("id") String id, JsonValue body) {
        Duration lifetime = lifetime(body).orElse(DEFAULT_LIFETIME);
        Sandbox sandbox = sandboxes.extend(caller.project(), SandboxIds.read(id), lifetime);
        return Response.ok(SandboxView.of(sandbox, tokens)).build();
    }

    @GET
    @Path("sandboxes/{id}")
    public SandboxDetailView info(@PathParam("id") String id) {
        return SandboxDetailView.of(
                sandboxes.getLive(caller.project(), SandboxIds.read(id)), tokens);
    }

    @POST
    @Path("sandboxes/{id}/timeout")
    public void setTimeout(@PathParam("id") String id, JsonValue body) {
        Duration lifetime =
                lifetime(body)
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
    public CompletionStage<Response> kill(@PathParam("id") String id) {
        return ends.kill(caller.actor(), SandboxIds.read(id))
                .thenApply(done -> Response.noContent().build());
    }

    private CompletionStage<Response> create(Opening opening) {
        Optional<String> slug = projects.get(caller.project()).slug().map(Slug::value);
        requireAllowed(opening.lifetime());
        SandboxId id = restores.open(caller.actor(), slug, opening);
        return restores.outcome(id).thenApply(this::created);
    }

    private Response created(Sandbox sandbox) {
        if (sandbox.state() == SandboxState.ENDED) {
            throw new Problem(
                            Reason.START_FAILED,
                            "Sandbox "
                                    + sandbox.id()
                                    + " could not be started: "
                                    + sandbox.endDetail().orElse("it was ended meanwhile")
                                    + ".")
                    .with("sandboxID", sandbox.id().value());
        }
        return Response.status(Response.Status.CREATED)
                .entity(SandboxView.of(sandbox, tokens))
                .build();
    }

    private Optional<Duration> lifetime(JsonValue body) {
        Optional<Duration> lifetime = Members.of(body).seconds("timeout");
        lifetime.ifPresent(this::requireAllowed);
        return lifetime;
    }

    private void requireAllowed(Duration lifetime) {
        Duration longest = projects.get(caller.project()).limit().longestLifetime();
        if (lifetime.compareTo(longest) > 0) {
            throw new Problem(
                            Reason.INVALID_PARAMETER,
                            "Timeout cannot be greater than " + words(longest) + ".")
                    .with("parameter", "timeout");
        }
    }

    private static String words(Duration duration) {
        return duration.equals(Duration.ofHours(duration.toHours()))
                ? duration.toHours() + " hours"
                : duration.toSeconds() + " seconds";
    }
}
