package dev.holdfast.access;

import dev.holdfast.audit.Origin;
import dev.holdfast.problem.ProblemBody;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.stream.Collectors;

/** Turns the key of a request into its caller; a missing or wrong one leaves it without. */
@ApplicationScoped
public class KeyMechanism implements HttpAuthenticationMechanism {
    private static final String KEY_HEADER = "X-API-Key";
    private static final String BEARER = "bearer ";

    @Inject private Keys keys;
    @Inject private KeyUse use;
    @Inject private Caller caller;
    @Inject @Any private Instance<Credential> others;

    @Override
    public AuthenticationStatus validateRequest(
            HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
        var recognition = recognise(request);
        if (recognition instanceof Recognition.Accepted accepted) {
            var who = accepted.who();
            caller.accept(who);
            if (who instanceof ApiKey key) {
                use.seen(key.id());
            } else {
                Origin.name(request, who.name());
            }
            return context.notifyContainerAboutLogin(
                    caller.principal(),
                    who.permissions().stream().map(Permission::word).collect(Collectors.toSet()));
        }
        caller.refuse((Recognition.Refused) recognition);
        return context.isProtected() ? context.responseUnauthorized() : context.doNothing();
    }

    private Recognition recognise(HttpServletRequest request) {
        var shown = Collections.list(request.getHeaders(KEY_HEADER));
        if (shown.isEmpty() && ProblemBody.isNative(request.getRequestURI())) {
            for (var authorization : Collections.list(request.getHeaders("Authorization"))) {
                if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
                    shown.add(authorization.substring(BEARER.length()).strip());
                }
            }
        }
        if (shown.isEmpty()) {
            return others.stream()
                    .flatMap(each -> each.recognise(request).stream())
                    .findFirst()
                    .orElseGet(Recognition::missing);
        }
        // Two keys would leave it to chance, or to a proxy, whose request this is.
        return shown.size() > 1
                ? Recognition.malformed()
                : KeySecret.read(shown.get(0))
                        .map(keys::recognise)
                        .orElseGet(Recognition::malformed);
    }
}
