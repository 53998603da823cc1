package dev.holdfast.envd;

import dev.holdfast.agent.Agent;
import dev.holdfast.gateway.Gateway;
import dev.holdfast.gateway.Visit;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import io.undertow.util.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One request at a sandbox. Made on the request's thread, usable on any: the exchange is looked up
 * once, while the thread still knows it.
 */
record Call(HttpServerExchange exchange, Visit visit) {

    static Call current() {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        return new Call(
                exchange,
                Gateway.visitOf(exchange).orElseThrow(() -> new RestError(404, "not found")));
    }

    Agent agent() {
        return visit.sandbox().agent();
    }

    String sandboxId() {
        return visit.sandbox().id().value();
    }

    boolean isSandboxGone() {
        return visit.sandbox().gone().toCompletableFuture().isDone();
    }

    /** Where answers are written: the thread that reads from the agent has others to serve. */
    Executor worker() {
        return exchange.getConnection().getWorker();
    }

    /** The Unix user an RPC acts as: the user name of Basic, whose password means nothing. */
    Optional<String> user() {
        String header = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return Optional.empty();
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(header.substring(6).trim());
            String pair = new String(decoded, StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            String name = colon < 0 ? pair : pair.substring(0, colon);
            return name.isEmpty() ? Optional.empty() : Optional.of(name);
        } catch (IllegalArgumentException notBase64) {
            throw new ConnectError(
                    ConnectCode.UNAUTHENTICATED, "the Authorization header is malformed");
        }
    }

    /** What the caller asks of a stream. */
    CallTerms terms() {
        return CallTerms.of(exchange.getRequestHeaders());
    }

    static Message unary(InputStream body) throws IOException {
        byte[] json = bounded(body, Envelope.MOST);
        return Message.parse(json.length == 0 ? new byte[] {'{', '}'} : json);
    }

    static Message enveloped(InputStream body) throws IOException {
        byte[] json = Envelope.only(bounded(body, Envelope.HEADER + Envelope.MOST));
        return Message.parse(json);
    }

    private static byte[] bounded(InputStream body, int most) throws IOException {
        byte[] bytes = body.readNBytes(most + 1);
        if (bytes.length > most) {
            throw new ConnectError(ConnectCode.RESOURCE_EXHAUSTED, "the message is too large");
        }
        return bytes;
    }
}
