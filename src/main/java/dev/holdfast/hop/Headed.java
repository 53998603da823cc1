package dev.holdfast.hop;

import io.undertow.client.ClientRequest;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Protocols;
import java.util.Set;

/** The headers of a request and of its answer as they go on: all but what is about a connection. */
final class Headed {

    private static final Set<HttpString> OF_THE_CONNECTION =
            Set.of(
                    Headers.CONNECTION,
                    Headers.UPGRADE,
                    Headers.TRANSFER_ENCODING,
                    new HttpString("Keep-Alive"),
                    new HttpString("Proxy-Connection"),
                    new HttpString("HTTP2-Settings"));

    private Headed() {}

    static ClientRequest request(HttpServerExchange exchange) {
        ClientRequest request =
                new ClientRequest()
                        .setMethod(exchange.getRequestMethod())
                        .setPath(Target.of(exchange));
        HeaderMap from = exchange.getRequestHeaders();
        HeaderMap to = request.getRequestHeaders();
        copy(from, to);
        String host = Target.host(exchange);
        if (host != null) {
            to.put(Headers.HOST, host);
        }
        String upgrade = from.getFirst(Headers.UPGRADE);
        boolean asks =
                upgrade != null
                        && !upgrade.equalsIgnoreCase("h2c")
                        && names(from, Headers.UPGRADE)
                        && exchange.getProtocol().equals(Protocols.HTTP_1_1);
        if (asks) {
            to.put(Headers.UPGRADE, upgrade);
            to.put(Headers.CONNECTION, "Upgrade");
        }
        if (!exchange.isRequestComplete() && !to.contains(Headers.CONTENT_LENGTH)) {
            to.put(Headers.TRANSFER_ENCODING, "chunked");
        }
        return request;
    }

    static void answer(HeaderMap from, HeaderMap to) {
        copy(from, to);
        to.remove(Hops.HEADER);
    }

    static void upgrade(HeaderMap from, HeaderMap to) {
        String upgrade = from.getFirst(Headers.UPGRADE);
        if (upgrade != null) {
            to.put(Headers.UPGRADE, upgrade);
        }
        to.put(Headers.CONNECTION, "Upgrade");
    }

    /** Whether the connection bears no further request. */
    static boolean isLast(HeaderMap headers) {
        return names(headers, Headers.CLOSE);
    }

    /**
     * What a client's connection header names besides goes on: no client is to take headers out
     * that a proxy before us has put in.
     */
    private static void copy(HeaderMap from, HeaderMap to) {
        for (HeaderValues values : from) {
            HttpString name = values.getHeaderName();
            if (!OF_THE_CONNECTION.contains(name)) {
                to.remove(name);
                to.putAll(name, values);
            }
        }
    }

    private static boolean names(HeaderMap headers, HttpString word) {
        HeaderValues values = headers.get(Headers.CONNECTION);
        if (values == null) {
            return false;
        }
        for (String line : values) {
            for (String each : line.split(",")) {
                if (word.equalToString(each.strip())) {
                    return true;
                }
            }
        }
        return false;
    }
}
