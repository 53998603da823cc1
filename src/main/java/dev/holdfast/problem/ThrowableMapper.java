package dev.holdfast.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import org.jboss.resteasy.spi.Failure;

/** Everything thrown, foreseen or not. */
@Provider
public class ThrowableMapper implements ExceptionMapper<Throwable> {
    @Context private HttpServletRequest request;
    @Context private SecurityContext security;

    @Override
    public Response toResponse(Throwable thrown) {
        var control = controlFlow(thrown);
        return control != null ? control : Answer.to(thrown, request, security);
    }

    /** Redirects and the built-in answer to OPTIONS travel as exceptions but are no errors. */
    private static Response controlFlow(Throwable thrown) {
        Response response = null;
        if (thrown instanceof WebApplicationException web) {
            response = web.getResponse();
        } else if (thrown instanceof Failure failure) {
            response = failure.getResponse();
        }
        return response != null && response.getStatus() < 400 ? response : null;
    }
}
