package dev.holdfast.api;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.autosave.Autosaves;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** When a sandbox is captured by itself. */
@Tag(name = "sandboxes")
@Path("/projects/{project}/sandboxes/{id}/capture-policy")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class CapturePolicyResource {

    @Inject Autosaves autosaves;
    @Inject Caller caller;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "getCapturePolicy",
            summary = "When a sandbox is captured by itself, and what has come of it")
    @Refuses(Reason.CAPTURE_POLICY_NOT_FOUND)
    public CapturePolicyView get(@PathParam("project") String named, @PathParam("id") String id) {
        return autosaves
                .report(scope.project(named).id(), SandboxAnswers.id(id))
                .map(CapturePolicyView::of)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.CAPTURE_POLICY_NOT_FOUND,
                                        "Sandbox " + id + " has no capture policy. PUT one here."));
    }

    @PUT
    @Operation(
            operationId = "setCapturePolicy",
            summary = "Have a sandbox captured by itself, in place of the policy it has",
            description =
                    "Its snapshots are of the kind auto, without a name, made by system, and labelled"
                            + " holdfast/cause. They are charged as any other; one that has no room"
                            + " is left out, which is told, and the sandbox goes on. Who neither"
                            + " made the sandbox nor set its policy needs sandboxes:manage.")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = CapturePolicyRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "As it is now",
            content = @Content(schema = @Schema(implementation = CapturePolicyView.class)))
    @Refuses(Reason.GENERATION_UNSUPPORTED)
    @Audited(value = Action.CAPTURE_POLICY_SET, type = "sandbox", id = "id")
    public CapturePolicyView set(
            @PathParam("project") String named, @PathParam("id") String id, JsonValue body) {
        return CapturePolicyView.of(
                autosaves.set(
                        actor(named),
                        SandboxAnswers.id(id),
                        CapturePolicyRequest.read(body).policy()));
    }

    @DELETE
    @Operation(
            operationId = "removeCapturePolicy",
            summary = "Have a sandbox captured by itself no longer",
            description =
                    "Also if it was not. What was captured stays until it expires. Who neither made"
                            + " the sandbox nor set its policy needs sandboxes:manage.")
    @APIResponse(responseCode = "204", description = "It has none")
    @Audited(value = Action.CAPTURE_POLICY_REMOVE, type = "sandbox", id = "id")
    public void remove(@PathParam("project") String named, @PathParam("id") String id) {
        autosaves.remove(actor(named), SandboxAnswers.id(id));
    }

    private Actor actor(String named) {
        scope.project(named);
        return caller.actor();
    }
}
