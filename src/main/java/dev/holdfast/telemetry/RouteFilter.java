package dev.holdfast.telemetry;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.AnnotatedElement;

/**
 * Names a request's step by its route and not by its path, so that requests for a thousand
 * snapshots are one line at the collector.
 */
@Provider
public class RouteFilter implements ContainerRequestFilter {

    @Context private HttpServletRequest servlet;
    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
        if (servlet.getAttribute(Step.class.getName()) instanceof Step step
                && resource.getResourceMethod() != null) {
            String route =
                    request.getUriInfo().getBaseUri().getPath()
                            + "/"
                            + path(resource.getResourceClass())
                            + "/"
                            + path(resource.getResourceMethod());
            String tidy =
                    route.replaceAll("\\{ *(\\w+) *:[^}]*\\}", "{$1}")
                            .replaceAll("/+", "/")
                            .replaceAll("(?<=.)/$", "");
            step.named(request.getMethod() + " " + tidy).with("http.route", tidy);
        }
    }

    private static String path(AnnotatedElement part) {
        Path path = part.getAnnotation(Path.class);
        return path == null ? "" : path.value();
    }
}
