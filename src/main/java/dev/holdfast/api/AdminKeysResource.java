package dev.holdfast.api;

import dev.holdfast.access.Permission;
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

/** The keys of the service, which belong to no project. */
@Tag(name = "service keys")
@Path("/admin/keys")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class AdminKeysResource {

    @Inject KeyAnswers answers;

    @GET
    @Operation(
            operationId = "listServiceKeys",
            summary = "The keys, newest first, without their secrets")
    public KeyPage list(
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
        return answers.list(Optional.empty(), state, limit, after);
    }

    @POST
    @Audited(value = Action.KEY_CREATE, type = "key")
    @Operation(
            operationId = "issueServiceKey",
            summary = "Issue a key for the service; its secret is shown once")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = KeyRequest.class)))
    @APIResponse(
            responseCode = "201",
            description = "The key, in the member key",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response issue(JsonValue body) {
        return answers.issue(Optional.empty(), "/api/v1/admin/keys", body);
    }

    @GET
    @Path("{key}")
    @Operation(operationId = "getServiceKey", summary = "A key without its secret")
    @APIResponse(
            responseCode = "200",
            description = "The key",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response get(@PathParam("key") String key) {
        return answers.get(Optional.empty(), key);
    }

    @PATCH
    @Path("{key}")
    @Audited(value = Action.KEY_CHANGE, type = "key", id = "key")
    @Operation(operationId = "changeServiceKey", summary = "Another name or expiry")
    @Refuses(Reason.KEY_REVOKED)
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = KeyRequest.class)))
    @APIResponse(
            responseCode = "200",
            description = "In force from the next request on",
            content = @Content(schema = @Schema(implementation = KeyView.class)))
    public Response change(
            @PathParam("key") String key,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            JsonValue body) {
        return answers.change(Optional.empty(), key, ifMatch, body);
    }

    @DELETE
    @Path("{key}")
    @Audited(value = Action.KEY_REVOKE, type = "key", id = "key")
    @Operation(
            operationId = "revokeServiceKey",
            summary = "Revoke a key for good, at once; it stays in the list")
    @APIResponse(responseCode = "204", description = "It is revoked, or was")
    public void revoke(@PathParam("key") String key) {
        answers.revoke(Optional.empty(), key);
    }
}
