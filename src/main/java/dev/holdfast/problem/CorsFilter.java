package dev.holdfast.problem;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.util.regex.Pattern;

/**
 * Lets programs in browsers call us from any origin with a key they hold. Credentials of the
 * browser are never allowed, so a hostile page gains nothing from a person's login.
 */
@Provider
@PreMatching
public class CorsFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final String EXPOSED =
            "X-Next-Token, X-Total-Running, X-Request-Id, Retry-After, RateLimit-Limit,"
                    + " RateLimit-Remaining, RateLimit-Reset, ETag, Location";
    private static final Pattern HEADER_LIST = Pattern.compile("[A-Za-z0-9 ,_-]{1,2000}");

    @Override
    public void filter(ContainerRequestContext request) {
        // No key comes with a preflight, so it must be answered before anybody asks for one.
        if (request.getMethod().equals("OPTIONS")
                && request.getHeaderString("Origin") != null
                && request.getHeaderString("Access-Control-Request-Method") != null) {
            var asked = request.getHeaderString("Access-Control-Request-Headers");
            var answer =
                    Response.noContent()
                            .header("Access-Control-Allow-Methods", METHODS)
                            .header("Access-Control-Max-Age", "7200");
            if (asked != null && HEADER_LIST.matcher(asked).matches()) {
                // '*' would not cover Authorization, and the SDKs' set of headers grows.
                answer.header("Access-Control-Allow-Headers", asked);
            }
            request.abortWith(answer.build());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        response.getHeaders().putSingle("Access-Control-Allow-Origin", "*");
        response.getHeaders().putSingle("Access-Control-Expose-Headers", EXPOSED);
    }
}
