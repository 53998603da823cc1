package dev.holdfast.hop;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

/** What a request asks for, undecoded, and of whom. */
public final class Target {

    private Target() {}

    /** Path and query as they are to be sent on: a request line may also hold a whole address. */
    public static String of(HttpServerExchange exchange) {
        String query = exchange.getQueryString();
        return path(exchange) + (query == null || query.isEmpty() ? "" : "?" + query);
    }

    /** The path as it came. */
    public static String path(HttpServerExchange exchange) {
        String uri = exchange.getRequestURI();
        if (!exchange.isHostIncludedInRequestURI()) {
            return uri;
        }
        int path = uri.indexOf('/', authority(uri));
        return path < 0 ? "/" : uri.substring(path);
    }

    /** The authority of the address in the request line wins over the Host header (RFC 9112). */
    public static String host(HttpServerExchange exchange) {
        String uri = exchange.getRequestURI();
        if (!exchange.isHostIncludedInRequestURI()) {
            return exchange.getRequestHeaders().getFirst(Headers.HOST);
        }
        int start = authority(uri);
        int end = uri.indexOf('/', start);
        return uri.substring(start, end < 0 ? uri.length() : end);
    }

    private static int authority(String uri) {
        int scheme = uri.indexOf("://");
        return scheme < 0 ? 0 : scheme + 3;
    }
}
