package dev.holdfast.audit;

import dev.holdfast.problem.RequestId;
import jakarta.inject.Inject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.Optional;

/** Notes where a request comes from, once the container knows who sent it. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class OriginFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final String SERVICE_ROLE = "service:admin";

    @Inject private transient AuditConfig config;
    private transient TrustedProxies proxies;

    @Override
    public void init() throws ServletException {
        proxies = config.proxies();
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        origin(request).begin(request);
        try {
            chain.doFilter(request, response);
        } finally {
            Origin.end();
        }
    }

    private Origin origin(HttpServletRequest request) {
        return new Origin(
                Optional.ofNullable(request.getUserPrincipal())
                        .map(Principal::getName)
                        .orElse(Origin.NOBODY),
                request.isUserInRole(SERVICE_ROLE),
                proxies.origin(request.getRemoteAddr(), forwardedFor(request)),
                request.getHeader("User-Agent"),
                RequestId.of(request).value());
    }

    /** Several headers are one list. */
    private static String forwardedFor(HttpServletRequest request) {
        var all = Collections.list(request.getHeaders("X-Forwarded-For"));
        return all.isEmpty() ? null : String.join(",", all);
    }
}
