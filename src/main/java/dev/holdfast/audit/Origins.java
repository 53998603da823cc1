package dev.holdfast.audit;

import dev.holdfast.problem.RequestId;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Optional;

/** Reads from a request where it comes from. */
@ApplicationScoped
public class Origins {
    private static final String SERVICE_ROLE = "service:admin";

    @Inject AuditConfig config;

    private TrustedProxies proxies;

    @PostConstruct
    void read() {
        proxies = config.proxies();
    }

    Origin of(HttpServletRequest request) {
        return of(
                request,
                Optional.ofNullable(request.getUserPrincipal())
                        .map(Principal::getName)
                        .orElse(Origin.NOBODY),
                Origin.name(request),
                request.isUserInRole(SERVICE_ROLE));
    }

    /** Of a request whose sender the container knows by another name, or not at all. */
    public Origin of(HttpServletRequest request, String principal, String name, boolean service) {
        return new Origin(
                principal,
                name,
                service,
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
