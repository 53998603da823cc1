package dev.holdfast.console;

import dev.holdfast.audit.TlsProxies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The cookie that holds the secret. The names begin with ours, so that the gateway keeps it from
 * programs in sandboxes; over TLS with the prefix by which browsers let only this very host set it.
 */
@ApplicationScoped
public class SignInCookie {

    static final String PLAIN = "holdfast-session";
    static final String SECURE = "__Host-holdfast-session";

    private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

    @Inject ConsoleConfig config;
    @Inject TlsProxies proxies;

    /**
     * Of two with one name none is taken: one of them is somebody else's, who serves a neighbouring
     * host. Such a one can set the plain name for the whole domain, so over TLS it is not looked
     * at.
     */
    Optional<SignInSecret> read(HttpServletRequest request) {
        List<String> secure = values(request, SECURE);
        List<String> found =
                secure.isEmpty() && !isSecure(request) ? values(request, PLAIN) : secure;
        return found.size() == 1 ? SignInSecret.read(found.get(0)) : Optional.empty();
    }

    /** As a header that sets it, for as long as the browser runs. */
    public String set(HttpServletRequest request, SignInSecret secret) {
        return isSecure(request)
                ? SECURE + "=" + secret.value() + ATTRIBUTES + "; Secure"
                : PLAIN + "=" + secret.value() + ATTRIBUTES;
    }

    String clear(HttpServletRequest request) {
        return isSecure(request)
                ? SECURE + "=" + ATTRIBUTES + "; Secure; Max-Age=0"
                : PLAIN + "=" + ATTRIBUTES + "; Max-Age=0";
    }

    /** Behind a proxy that ends TLS the proxy tells, if it is trusted, and the browser may too. */
    private boolean isSecure(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        return config.secure() == CookieSecurity.ALWAYS
                || proxies.isTls(request)
                || origin != null && origin.startsWith("https://");
    }

    /** As they were sent: the container keeps one of those that have the same name. */
    private static List<String> values(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders("Cookie")).stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.substring(name.length() + 1))
                .toList();
    }
}
