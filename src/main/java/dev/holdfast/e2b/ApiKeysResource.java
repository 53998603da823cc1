package dev.holdfast.e2b;

import dev.holdfast.access.ApiKeyId;
import dev.holdfast.access.Caller;
import dev.holdfast.access.Keys;
import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/** The keys of the caller's project, as E2B's dashboards manage them. */
@Path("/api-keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.PROJECT_ADMIN)
public class ApiKeysResource {
    @Inject private Caller caller;
    @Inject private Keys keys;

    @GET
    public List<ApiKeyView> list() {
        return keys.of(caller.project()).stream().map(ApiKeyView::of).toList();
    }

    @POST
    @Audited(value = Action.KEY_CREATE, type = "key")
    public Response issue(@NotNull(message = "is missing") @Valid ApiKeyRequest body) {
        var grantor = caller.grantor();
        var issued = keys.issue(body.order(caller.project(), grantor), grantor);
        return Response.status(Response.Status.CREATED).entity(ApiKeyView.of(issued)).build();
    }

    @DELETE
    @Path("/{id}")
    @Audited(value = Action.KEY_REVOKE, type = "key", id = "id")
    public void revoke(@PathParam("id") String id) {
        ApiKeyId.read(id)
                .flatMap(key -> keys.revoke(Optional.of(caller.project()), key, caller.principal()))
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.NOT_FOUND,
                                        "The project has no API key of this id."));
    }
}
