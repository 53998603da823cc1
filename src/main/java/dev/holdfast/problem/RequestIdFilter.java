package dev.holdfast.problem;

import dev.holdfast.telemetry.Trail;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Puts the id on every answer and into every log line of the request; a servlet filter, so that
 * pages outside JAX-RS have it as well.
 */
@WebFilter(
        urlPatterns = "/*",
        asyncSupported = true,
        dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR})
public class RequestIdFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final String TRACEPARENT = "traceparent";

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var id = RequestId.of(request).value();
        response.setHeader(RequestId.HEADER, id);
        var trail = Trail.ofRequest(id, request.getHeader(TRACEPARENT), request.getRequestURI());
        try (var scope = trail.open()) {
            chain.doFilter(request, response);
        }
    }
}
