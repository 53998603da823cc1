package dev.holdfast.e2b;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Whether the control plane is alive; what it lacks is told by the management port's health. */
@Path("/health")
@PermitAll
public class HealthResource {
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String alive() {
        return "Holdfast is alive\n";
    }
}
