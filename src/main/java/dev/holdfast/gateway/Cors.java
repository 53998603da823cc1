package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;

/**
 * Lets programs in browsers speak to envd from any origin. Never with credentials: what opens a
 * sandbox is a header that a foreign page has to know, not a cookie that a browser adds.
 */
final class Cors {

    private static final HttpString ORIGIN = new HttpString("Origin");
    private static final HttpString ALLOW_ORIGIN = new HttpString("Access-Control-Allow-Origin");
    private static final HttpString ALLOW_METHODS = new HttpString("Access-Control-Allow-Methods");
    private static final HttpString ALLOW_HEADERS = new HttpString("Access-Control-Allow-Headers");
    private static final HttpString EXPOSE_HEADERS =
            new HttpString("Access-Control-Expose-Headers");
    private static final HttpString MAX_AGE = new HttpString("Access-Control-Max-Age");
    private static final HttpString ASKED_METHOD = new HttpString("Access-Control-Request-Method");
    private static final HttpString ASKED_HEADERS =
            new HttpString("Access-Control-Request-Headers");

    private Cors() {}

    /** Adds what a browser needs; true if the request was only the browser's question. */
    static boolean answer(HttpServerExchange exchange) {
        HeaderMap asked = exchange.getRequestHeaders();
        if (!asked.contains(ORIGIN)) {
            return false;
        }
        HeaderMap answer = exchange.getResponseHeaders();
        answer.put(ALLOW_ORIGIN, "*");
        answer.put(EXPOSE_HEADERS, "*");
        if (!exchange.getRequestMethod().equals(Methods.OPTIONS) || !asked.contains(ASKED_METHOD)) {
            return false;
        }
        answer.put(ALLOW_METHODS, "GET, HEAD, POST, PUT, PATCH, DELETE");
        String headers = asked.getFirst(ASKED_HEADERS);
        if (headers != null) {
            answer.put(ALLOW_HEADERS, headers);
        }
        answer.put(MAX_AGE, "7200");
        exchange.setStatusCode(204);
        exchange.endExchange();
        return true;
    }
}
