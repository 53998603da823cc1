package dev.holdfast.envd;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.jboss.logging.Logger;

/** Every error of the code interpreter as a text, which is what its clients show. */
public class InterpreterErrorMapper implements ExceptionMapper<Throwable> {

    private static final Logger LOG = Logger.getLogger(InterpreterErrorMapper.class);

    @Override
    public Response toResponse(Throwable thrown) {
        if (thrown instanceof RestError error) {
            return text(error.status(), error.getMessage());
        }
        if (thrown instanceof ConnectError error) {
            // The one thing that can be exhausted before anything is asked is the room for the
            // body.
            int status =
                    error.code() == ConnectCode.RESOURCE_EXHAUSTED ? 413 : error.code().status();
            return text(status, error.getMessage());
        }
        if (thrown instanceof WebApplicationException http) {
            return text(
                    http.getResponse().getStatus(),
                    http.getResponse().getStatusInfo().getReasonPhrase());
        }
        LOG.error("a call to the code interpreter failed", thrown);
        return text(500, "the call failed");
    }

    static Response text(int status, String message) {
        return Response.status(status)
                .type(MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8"))
                .entity(message)
                .build();
    }
}
