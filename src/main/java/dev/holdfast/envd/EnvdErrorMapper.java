package dev.holdfast.envd;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.jboss.logging.Logger;

/** Every error of the data plane as JSON: a word for the RPCs, a number for everything else. */
public class EnvdErrorMapper implements ExceptionMapper<Throwable> {

    private static final Logger LOG = Logger.getLogger(EnvdErrorMapper.class);

    @Override
    public Response toResponse(Throwable thrown) {
        if (thrown instanceof ConnectError error) {
            return Answers.json(error.code().status(), error.json());
        }
        if (thrown instanceof RestError error) {
            return Answers.json(error.status(), error.json());
        }
        if (thrown instanceof WebApplicationException http) {
            int status = http.getResponse().getStatus();
            String reason = http.getResponse().getStatusInfo().getReasonPhrase();
            return Answers.json(status, new RestError(status, reason).json());
        }
        LOG.error("a call to the data plane failed", thrown);
        return Answers.json(500, new RestError(500, "the call failed").json());
    }
}
