package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.restore.Forks;
import dev.holdfast.sandbox.SandboxTokens;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;

/** Forking a sandbox. */
@Path("sandboxes/{id}/fork")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class ForksResource {

    private static final int MOST = 100;

    @Inject Caller caller;
    @Inject Forks forks;
    @Inject Lifetimes lifetimes;
    @Inject Projects projects;
    @Inject SandboxTokens tokens;

    /** One outcome for each fork that was asked for; those that failed do not end the others. */
    @POST
    @Audited(value = Action.SANDBOX_FORK, type = "sandbox", id = "id")
    public CompletionStage<Response> fork(@PathParam("id") String id, JsonValue body) {
        int count = Members.of(body).whole("count", 1, most()).orElse(1);
        return forks.fork(caller.actor(), SandboxIds.read(id), count, lifetimes.orUsual(body))
                .thenApply(
                        outcomes ->
                                Response.status(Response.Status.CREATED)
                                        .entity(
                                                outcomes.stream()
                                                        .map(each -> ForkView.of(each, tokens))
                                                        .toList())
                                        .build());
    }

    /** More than the project may have at once could never all run. */
    private int most() {
        return (int) Math.min(MOST, projects.get(caller.project()).limit().liveSandboxes());
    }
}
