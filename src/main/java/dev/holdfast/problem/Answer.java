package dev.holdfast.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/** The JAX-RS answer for a thrown thing; the one place where the unforeseen is logged. */
final class Answer {
    private static final Logger LOG = Logger.getLogger(Answer.class);

    /** Headers in which the platform says how to do better. */
    private static final List<String> KEPT =
            List.of(HttpHeaders.ALLOW, HttpHeaders.RETRY_AFTER, HttpHeaders.WWW_AUTHENTICATE);

    /**
     * Clients repeat what failed on the server's side unless told that it had, or may have, effect.
     */
    private static final String SHOULD_RETRY = "Should-Retry";

    private Answer() {}

    static Response to(Throwable thrown, HttpServletRequest request, SecurityContext security) {
        var diagnosis = Diagnosis.of(thrown, security.getUserPrincipal() != null);
        var problem = diagnosis.problem();
        var id = RequestId.of(request);
        // For filters, which see the answer and not what was thrown.
        request.setAttribute(Problem.class.getName(), problem);
        if (diagnosis.unexpected()) {
            LOG.errorf(
                    thrown,
                    "Request %s failed: %s %s",
                    id,
                    request.getMethod(),
                    request.getRequestURI());
        } else {
            LOG.debugf(thrown, "Request %s refused: %s", id, problem.reason().word());
        }
        var body = ProblemBody.of(problem, request.getRequestURI(), id.value());
        var answer =
                Response.status(problem.reason().status())
                        .type(body.mediaType())
                        .entity(body.content());
        keepHeaders(thrown, answer);
        if (problem.reason().status() >= 429) {
            answer.header(SHOULD_RETRY, problem.retryAfter().isPresent());
        }
        if (problem.reason() == Reason.RANGE_NOT_SATISFIABLE) {
            answer.header("Content-Range", "bytes */" + problem.members().get("size"));
        }
        problem.retryAfter()
                .ifPresent(wait -> answer.header(HttpHeaders.RETRY_AFTER, seconds(wait)));
        return answer.build();
    }

    /** Whole seconds, rounded up: SDKs take integers only, and earlier would be too early. */
    static long seconds(Duration wait) {
        return wait.plusNanos(999_999_999).toSeconds();
    }

    private static void keepHeaders(Throwable thrown, Response.ResponseBuilder answer) {
        if (thrown instanceof WebApplicationException web) {
            for (var name : KEPT) {
                var value = web.getResponse().getHeaderString(name);
                if (value != null) {
                    answer.header(name, value);
                }
            }
        }
    }
}
