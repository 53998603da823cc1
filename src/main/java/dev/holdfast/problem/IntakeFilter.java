package dev.holdfast.problem;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.util.Set;

/** Makes every request one that the resources can be matched to. */
@Provider
@PreMatching
public class IntakeFilter implements ContainerRequestFilter {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");

    @Override
    public void filter(ContainerRequestContext request) {
        if (request.getUriInfo().getRequestUri().toString().contains("%00")) {
            throw new Problem(Reason.INVALID_PARAMETER, "The address holds a NUL character (%00).");
        }
        if (WITH_BODY.contains(request.getMethod())) {
            requireType(request);
        }
    }

    private static void requireType(ContainerRequestContext request) {
        String type = request.getHeaderString(HttpHeaders.CONTENT_TYPE);
        if (type == null) {
            // Clients leave the header out of calls without a body; JAX-RS would answer 415.
            request.getHeaders().putSingle(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        } else if (type.indexOf('*') >= 0) {
            // JAX-RS takes it for any type, also for those of bodies that are read as they come.
            throw new Problem(
                    Reason.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type says what the body is, so it has no *; most paths take"
                            + " application/json.");
        }
    }
}
