package dev.holdfast.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/**
 * Whether a page of this very origin sent a request, as far as the browser tells. Hosts of
 * sandboxes are the same site and hostile, so {@code SameSite} alone is not enough.
 */
final class SameOrigin {

    private static final String SITE = "Sec-Fetch-Site";
    private static final String ORIGIN = "Origin";

    /** {@code none}: a person typed the address. */
    private static final Set<String> OURS = Set.of("same-origin", "none");

    private SameOrigin() {}

    /** Nothing that the browser says speaks against it. */
    static boolean isPlausible(HttpServletRequest request) {
        String site = request.getHeader(SITE);
        return (site == null || OURS.contains(site)) && isOwnOrigin(request);
    }

    /** The browser says so. */
    static boolean isCertain(HttpServletRequest request) {
        boolean says = request.getHeader(SITE) != null || request.getHeader(ORIGIN) != null;
        return says && isPlausible(request);
    }

    private static boolean isOwnOrigin(HttpServletRequest request) {
        String origin = request.getHeader(ORIGIN);
        String host = request.getHeader("Host");
        if (origin == null) {
            return true;
        }
        try {
            String authority = new URI(origin).getRawAuthority();
            return authority != null
                    && host != null
                    && authority
                            .toLowerCase(Locale.ROOT)
                            .equals(host.strip().toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false; // also the "null" of a page without an origin has no authority
        }
    }
}
