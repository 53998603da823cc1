package dev.holdfast.webhook;

import dev.holdfast.problem.Problem;
import java.net.URI;
import java.util.Locale;

/** Where deliveries go: an absolute HTTP address without a user and without a fragment. */
public record Destination(URI uri) {
    private static final int LONGEST = 2_000;

    public Destination {
        String rule =
                "\"url\" is an address like https://example.com/path, without user, password or"
                        + " fragment, of at most "
                        + LONGEST
                        + " characters.";
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean fit =
                (scheme.equals("https") || scheme.equals("http"))
                        && uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && uri.getRawFragment() == null
                        && uri.getPort() != 0
                        && uri.getPort() <= 65_535
                        && uri.toASCIIString().length() <= LONGEST;
        if (!fit) {
            throw Problem.invalid("url", rule);
        }
    }

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public static Destination of(String text) {
        try {
            return new Destination(URI.create(text));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(
                    "url", "\"url\" is an address like https://example.com/path; this is none.");
        }
    }

    public boolean isSecure() {
        return uri.getScheme().equalsIgnoreCase("https");
    }

    /** Without the brackets of an IPv6 address. */
    String host() {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        return uri.getPort() > 0 ? uri.getPort() : isSecure() ? 443 : 80;
    }

    /** What the request line asks for. */
    String target() {
        String path = URI.create(uri.toASCIIString()).getRawPath();
        String query = URI.create(uri.toASCIIString()).getRawQuery();
        return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
    }

    /** As the header {@code Host} has it. */
    String authority() {
        return uri.getPort() > 0 ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
