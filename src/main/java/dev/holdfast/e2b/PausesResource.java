package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.Pauses;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
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
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Pausing a sandbox. */
@Path("sandboxes/{id}/pause")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class PausesResource {

    @Inject Caller caller;
    @Inject Pauses pauses;

    /**
     * Answered 204 when the state is safe. A 409 means to clients that it was paused already, so
     * whatever else is in the way is waited for or told with another status.
     */
    @POST
    @Audited(value = Action.SANDBOX_PAUSE, type = "sandbox", id = "id")
    public CompletionStage<Response> pause(@PathParam("id") String id, JsonValue body) {
        Members members = Members.of(body);
        boolean strict = members.flag("requireHealthyGuest").orElse(false);
        return pauses.pause(
                        caller.project(),
                        SandboxIds.read(id),
                        members.flag("memory").orElse(true),
                        caller.principal().text())
                .handle(
                        (paused, failure) -> {
                            if (failure != null) {
                                throw refusal(failure, strict);
                            }
                            return Response.noContent().build();
                        });
    }

    private static RuntimeException refusal(Throwable failure, boolean strict) {
        if (Waits.ranOut(failure)) {
            return new Problem(
                    Reason.CAPTURE_IN_PROGRESS,
                    "The pause goes on. Ask for the sandbox's state to see when it is over.");
        }
        Throwable cause = Waits.cause(failure);
        if (cause instanceof Problem problem) {
            if (problem.reason() == Reason.SANDBOX_BUSY) {
                return withMembers(problem, Reason.CAPTURE_IN_PROGRESS);
            }
            if (strict && problem.reason() == Reason.CAPTURE_FAILED) {
                return new Problem(Reason.GUEST_UNHEALTHY, problem.getMessage());
            }
            return problem;
        }
        return new CompletionException(cause);
    }

    /** Also under another reason a refusal says which capture it is about. */
    private static Problem withMembers(Problem problem, Reason reason) {
        Problem other = new Problem(reason, problem.getMessage());
        for (Map.Entry<String, Object> member : problem.members().entrySet()) {
            other = other.with(member.getKey(), member.getValue());
        }
        return other;
    }
}
