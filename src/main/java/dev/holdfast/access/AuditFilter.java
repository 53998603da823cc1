package dev.holdfast.access;

import dev.holdfast.audit.Audited;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Origin;
import dev.holdfast.audit.Outcome;
import dev.holdfast.audit.Refusals;
import dev.holdfast.audit.Subject;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Has every change written down that somebody with a key was refused, from this one place. */
@Provider
public class AuditFilter implements ContainerResponseFilter {
    private static final String ASKED = AuditFilter.class.getName();

    /** What these tell of was accepted, and whoever worked on it has written down its end. */
    private static final Set<Reason> TOLD =
            EnumSet.of(
                    Reason.CAPTURE_FAILED,
                    Reason.CAPTURE_EXPIRED,
                    Reason.CAPTURE_CANCELLED,
                    Reason.CAPTURE_IN_PROGRESS,
                    Reason.COMPARISON_FAILED,
                    Reason.COMPARISON_CANCELLED,
                    Reason.COMPARISON_IN_PROGRESS,
                    Reason.START_FAILED,
                    Reason.GUEST_UNHEALTHY,
                    Reason.SERVER_STOPPING);

    private record Asked(Audited change, Principal principal, Optional<UUID> project) {}

    @Inject private Refusals refusals;

    /** Notes who asks for what; the answer may come in a thread without a request. */
    static void note(ContainerRequestContext request, Method method, Caller caller) {
        var change = method.getAnnotation(Audited.class);
        if (change != null) {
            request.setProperty(
                    ASKED,
                    new Asked(
                            change,
                            caller.principal(),
                            caller.identity().project().map(ProjectId::value)));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() < 400 || !(request.getProperty(ASKED) instanceof Asked asked)) {
            return;
        }
        var reason =
                request.getProperty(Problem.class.getName()) instanceof Problem problem
                        ? problem.reason()
                        : Reason.INTERNAL_ERROR;
        if (TOLD.contains(reason)) {
            return;
        }
        refusals.tell(
                Deed.of(asked.change().value(), subject(request, asked.change()))
                        .in(asked.project().orElse(null))
                        .by(asked.principal().text()),
                Origin.of(request),
                response.getStatus() < 500 ? Outcome.REFUSED : Outcome.FAILED,
                reason.word());
    }

    private static Subject subject(ContainerRequestContext request, Audited change) {
        var named = request.getUriInfo().getPathParameters().getFirst(change.id());
        return new Subject(change.type(), named == null ? "" : named);
    }
}
