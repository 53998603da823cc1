package dev.holdfast.e2b;

import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Calls of the SDKs that Holdfast does not answer yet: refused by name, never half done. */
@Path("sandboxes/{id}/{operation: refreshes|logs}")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
public class UnsupportedResource {

    @GET
    public void get(@PathParam("operation") String operation) {
        throw unsupported(operation);
    }

    @POST
    @Audited(value = Action.UNSUPPORTED, type = "sandbox", id = "id")
    public void post(@PathParam("operation") String operation) {
        throw unsupported(operation);
    }

    @PUT
    @Audited(value = Action.UNSUPPORTED, type = "sandbox", id = "id")
    public void put(@PathParam("operation") String operation) {
        throw unsupported(operation);
    }

    private static Problem unsupported(String operation) {
        return new Problem(
                        Reason.UNSUPPORTED_PARAMETER,
                        "\"" + operation + "\" is not supported by this version of Holdfast.")
                .with("parameter", operation);
    }
}
