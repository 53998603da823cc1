package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Priority;
import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Who may call a resource. The container's own check stays on behind this one; this one adds three
 * things: 401 apart from 403, the missing permission by name, and a refusal where nothing is said.
 */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class AccessFilter implements ContainerRequestFilter {
    @Inject private Caller caller;
    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
        var method = resource.getResourceMethod();
        if (method == null) {
            return; // the built-in answer to OPTIONS
        }
        var rule = rule(method);
        if (rule.isPresent() && rule.get() instanceof PermitAll) {
            return;
        }
        caller.requireSignedIn();
        caller.identity().project().ifPresent(own -> Trail.mark(Mark.PROJECT, own));
        AuditFilter.note(request, method, caller);
        if (rule.isEmpty() || !(rule.get() instanceof RolesAllowed allowed)) {
            throw new Problem(Reason.PERMISSION_MISSING, "Nobody may call this.");
        }
        for (var word : allowed.value()) {
            if (Permission.of(word).filter(caller.permissions()::contains).isPresent()) {
                return;
            }
        }
        throw Caller.lacking(String.join(" or ", allowed.value()));
    }

    /** What the method says, else what its class says. */
    static Optional<Annotation> rule(Method method) {
        return rule(method.getAnnotations())
                .or(() -> rule(method.getDeclaringClass().getAnnotations()));
    }

    private static Optional<Annotation> rule(Annotation[] annotations) {
        for (var annotation : annotations) {
            if (annotation instanceof PermitAll
                    || annotation instanceof RolesAllowed
                    || annotation instanceof DenyAll) {
                return Optional.of(annotation);
            }
        }
        return Optional.empty();
    }
}
