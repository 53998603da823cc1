package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The keys of a project, for who administers it or the service. */
@Tag(name = "keys")
@Path("/projects/{project}/keys")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
public class KeysResource {

    @Inject KeyAnswers answers;
    @Inject Scope scope;

    @GET
    @Operation(operationId = "listKeys", summary = "The keys, newest first, without their secrets")
    public KeyPage list(
            @PathParam("project") String project,
            @QueryParam("state")
                    @Parameter(
                            description = "Live are those that are not revoked",
                            schema =
                                    @Schema(
                                            enumeration = {"live", "revoked", "all"},
                                            defaultValue = "live"))
                    String state,
            @QueryParam("limit") String limit,
            @QueryParam("after") String after) {
        return answers.list(of(project), state, limit, after);
    }

    @POST
    @Audited(value = Action.KEY_CREATE, type = "key")
    @Operation(
            operationId = "issueKey",
            summary = "Issue a key that may do no more than its maker; its secret is shown once")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = KeyRequest.class)))
    @APIResponse(
            responseCode = "201",
            description = "The key, in the member key",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response issue(@PathParam("project") String project, JsonValue body) {
        Optional<ProjectId> id = of(project);
        return answers.issue(id, "/api/v1/projects/" + id.orElseThrow() + "/keys", body);
    }

    @GET
    @Path("{key}")
    @Operation(operationId = "getKey", summary = "A key without its secret")
    @APIResponse(
            responseCode = "200",
            description = "The key",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response get(@PathParam("project") String project, @PathParam("key") String key) {
        return answers.get(of(project), key);
    }

    @PATCH
    @Path("{key}")
    @Audited(value = Action.KEY_CHANGE, type = "key", id = "key")
    @Operation(
            operationId = "changeKey",
            summary = "Another name, expiry or other permissions, none that the caller lacks")
    @Refuses(Reason.KEY_REVOKED)
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = KeyRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "In force from the next request on",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response change(
            @PathParam("project") String project,
            @PathParam("key") String key,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        return answers.change(of(project), key, ifMatch, body);
    }

    @DELETE
    @Path("{key}")
    @Audited(value = Action.KEY_REVOKE, type = "key", id = "key")
    @Operation(
            operationId = "revokeKey",
            summary = "Revoke a key for good, at once; it stays in the list")
    @APIResponse(responseCode = "204", description = "It is revoked, or was")
    public void revoke(@PathParam("project") String project, @PathParam("key") String key) {
        answers.revoke(of(project), key);
    }

    private Optional<ProjectId> of(String project) {
        return Optional.of(scope.administered(project).id());
    }
}
