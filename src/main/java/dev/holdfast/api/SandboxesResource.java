package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Sandboxes. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes/{id}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class SandboxesResource {

    private static final String IDLE = "idleTimeout";

    @Inject SandboxAnswers answers;
    @Inject Sandboxes sandboxes;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "getSandbox",
            summary = "A sandbox, also one that has ended, and what became of it in a restore")
    public SandboxView get(@PathParam("project") String project, @PathParam("id") String id) {
        return answers.view(sandboxes.get(scope.project(project).id(), SandboxAnswers.id(id)));
    }

    @PATCH
    @Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
    @Operation(
            operationId = "changeSandbox",
            summary = "How long a sandbox may be idle; null: as long as it lives")
    @Audited(value = Action.SANDBOX_CHANGE, type = "sandbox", id = "id")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = SandboxChangeRequest.class)))
    public SandboxView change(
            @PathParam("project") String named, @PathParam("id") String id, JsonValue body) {
        Project project = scope.project(named);
        return answers.view(
                sandboxes.setIdleTimeout(
                        project.id(),
                        SandboxAnswers.id(id),
                        idle(body, project.limit().longestLifetime())));
    }

    private static Optional<Duration> idle(JsonValue body, Duration longest) {
        JsonValue value =
                body instanceof JsonObject members && members.size() == 1
                        ? members.get(IDLE)
                        : null;
        if (value == JsonValue.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonNumber number
                && number.isIntegral()
                && number.bigIntegerValue().bitLength() < 63
                && number.longValue() >= 1
                && number.longValue() <= longest.toSeconds()) {
            return Optional.of(Duration.ofSeconds(number.longValue()));
        }
        throw Problem.invalid(
                IDLE,
                "\"idleTimeout\" is what can be changed: a number of seconds from 1 to "
                        + longest.toSeconds()
                        + ", or null.");
    }
}
