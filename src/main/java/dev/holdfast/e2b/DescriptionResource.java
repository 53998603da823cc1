package dev.holdfast.e2b;

import jakarta.annotation.security.PermitAll;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.InputStream;

/** The machine-readable description of this dialect; that of the native API is the server's. */
@Path("/e2b/openapi.yaml")
@RequestScoped
@PermitAll
public class DescriptionResource {

    @GET
    @Produces("application/yaml")
    public InputStream get() {
        return DescriptionResource.class.getResourceAsStream("/openapi/e2b.yaml");
    }
}
