package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.NetworkChanges;
import dev.holdfast.sandbox.NetworkOutcome;
import dev.holdfast.sandbox.NetworkOutcome.Failed;
import dev.holdfast.sandbox.SandboxId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/** What a running sandbox may reach, replaced as a whole; answered when it is in force. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class NetworkResource {

    /** A change waits for a checkpoint of the same sandbox; else it takes a moment. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Inject Caller caller;
    @Inject NetworkChanges changes;
    @Inject Waits waits;

    @PUT
    @Path("{path: (v2/)?sandboxes}/{id}/network")
    @Audited(value = Action.SANDBOX_CHANGE, type = "sandbox", id = "id")
    public CompletionStage<Response> update(@PathParam("id") String text, JsonValue body) {
        SandboxId id = SandboxIds.read(text);
        ProjectId project = caller.project();
        NetworkChanges here = changes;
        long number = here.ask(project, id, NetworkRequest.egress(body));
        return waits.until(Event.sandbox(id), () -> here.outcome(project, id, number), PATIENCE)
                .exceptionallyCompose(failure -> late(here, project, id, number, failure))
                .thenApply(NetworkResource::answer);
    }

    /** Who was told that a change failed must not find it in force later. */
    private static CompletionStage<NetworkOutcome> late(
            NetworkChanges changes,
            ProjectId project,
            SandboxId id,
            long number,
            Throwable failure) {
        if (!(failure instanceof TimeoutException)) {
            return CompletableFuture.failedStage(failure);
        }
        changes.fail(id, number, "its worker did not answer in time");
        Optional<NetworkOutcome> outcome = changes.outcome(project, id, number);
        return CompletableFuture.completedStage(
                outcome.orElseGet(() -> new Failed("another change is still under way")));
    }

    private static Response answer(NetworkOutcome outcome) {
        if (outcome instanceof Failed failed) {
            throw new Problem(
                    Reason.NETWORK_FAILED,
                    "The network of the sandbox could not be changed: "
                            + failed.why()
                            + ". What was in force before still is.");
        }
        return Response.noContent().build();
    }
}
