package dev.holdfast.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * The container's error page: what fails before or outside JAX-RS gets the same shape. Asked for
 * directly it is a path like any other unknown one.
 */
@WebServlet(urlPatterns = "/-error", asyncSupported = true)
public class ErrorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = Logger.getLogger(ErrorServlet.class);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        var problem = problem(request);
        var path =
                Objects.requireNonNullElse(
                        (String) request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI),
                        request.getRequestURI());
        var id = RequestId.of(request);
        if (problem.reason() == Reason.INTERNAL_ERROR) {
            // The container has logged the exception, but not under our id.
            LOG.errorf("Request %s failed outside JAX-RS: %s %s", id, request.getMethod(), path);
        }
        var body = ProblemBody.of(problem, path, id.value());
        response.setStatus(problem.reason().status());
        response.setHeader(RequestId.HEADER, id.value());
        response.setHeader("Access-Control-Allow-Origin", "*");
        problem.retryAfter()
                .ifPresent(
                        wait ->
                                response.setHeader(
                                        "Retry-After", Long.toString(Answer.seconds(wait))));
        response.setContentType(body.mediaType());
        response.setContentLength(body.content().length);
        response.getOutputStream().write(body.content());
    }

    private static Problem problem(HttpServletRequest request) {
        var thrown = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        if (thrown != null) {
            return Diagnosis.of(thrown, request.getUserPrincipal() != null).problem();
        }
        var status = (Integer) request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        return Diagnosis.ofStatus(status == null ? 404 : status);
    }
}
