package dev.holdfast.console;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The cookie that holds the secret. The names begin with ours, so that the gateway keeps it from
 * programs in sandboxes; over TLS with the prefix by which browsers let only this very host set it.
 */
public final class SessionCookie {

    static final String PLAIN = "holdfast-session";
    static final String SECURE = "__Host-holdfast-session";

    private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

    private SessionCookie() {}

    /**
     * Of two with one name none is taken: one of them is somebody else's, who serves a neighbouring
     * host.
     */
    static Optional<SignInSecret> read(HttpServletRequest request) {
        List<String> secure = values(request, SECURE);
        List<String> found =
                secure.isEmpty() && !request.isSecure() ? values(request, PLAIN) : secure;
        return found.size() == 1 ? SignInSecret.read(found.get(0)) : Optional.empty();
    }

    /** As a header that sets it, for as long as the browser runs. */
    public static String set(HttpServletRequest request, SignInSecret secret) {
        return isSecure(request)
                ? SECURE + "=" + secret.value() + ATTRIBUTES + "; Secure"
                : PLAIN + "=" + secret.value() + ATTRIBUTES;
    }

    static String clear(HttpServletRequest request) {
        return isSecure(request)
                ? SECURE + "=" + ATTRIBUTES + "; Secure; Max-Age=0"
                : PLAIN + "=" + ATTRIBUTES + "; Max-Age=0";
    }

    /** Also behind a proxy that ends TLS: the browser says how it sees the page. */
    private static boolean isSecure(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        return request.isSecure() || origin != null && origin.startsWith("https://");
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
