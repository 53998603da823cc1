package dev.holdfast.gateway;

import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.nio.charset.StandardCharsets;

/** The answers the gateway gives itself, in the shape the SDKs read. */
final class GatewayAnswers {

    private GatewayAnswers() {}

    static void malformed(HttpServerExchange exchange, String message) {
        send(exchange, 400, body(400, message));
    }

    static void unauthorized(HttpServerExchange exchange, String message) {
        send(exchange, 401, body(401, message));
    }

    static void trafficRefused(HttpServerExchange exchange, SandboxId sandbox) {
        send(
                exchange,
                403,
                body(403, "the sandbox's ports need the header e2b-traffic-access-token")
                        .add("sandboxId", sandbox.value()));
    }

    static void timedOut(HttpServerExchange exchange) {
        send(exchange, 408, body(408, "the request did not come to its end in time"));
    }

    static void notFound(HttpServerExchange exchange) {
        send(exchange, 404, body(404, "not found"));
    }

    static void tooMany(HttpServerExchange exchange, SandboxId sandbox) {
        send(
                exchange,
                429,
                body(429, "too many connections to the sandbox").add("sandboxId", sandbox.value()));
    }

    static void sandboxGone(HttpServerExchange exchange, SandboxId sandbox) {
        send(
                exchange,
                502,
                body(502, "The sandbox was not found").add("sandboxId", sandbox.value()));
    }

    static void wakingRefused(HttpServerExchange exchange, SandboxId sandbox) {
        send(
                exchange,
                403,
                body(403, "the sandbox is paused, and only a request with its token resumes it")
                        .add("sandboxId", sandbox.value()));
    }

    static void projectClosed(HttpServerExchange exchange, SandboxId sandbox, String why) {
        Reason reason = Reason.PROJECT_CLOSED;
        send(
                exchange,
                reason.status(),
                body(reason.status(), why)
                        .add("reason", reason.word())
                        .add("sandboxId", sandbox.value()));
    }

    static void notWoken(
            HttpServerExchange exchange, SandboxId sandbox, int status, String message) {
        send(exchange, status, body(status, message).add("sandboxId", sandbox.value()));
    }

    static void portClosed(HttpServerExchange exchange, SandboxId sandbox, int port) {
        send(
                exchange,
                502,
                body(502, "The sandbox is running but port is not open")
                        .add("sandboxId", sandbox.value())
                        .add("port", port));
    }

    static void portSilent(HttpServerExchange exchange, SandboxId sandbox, int port) {
        send(
                exchange,
                502,
                body(502, "The program behind the port gave no HTTP answer")
                        .add("sandboxId", sandbox.value())
                        .add("port", port));
    }

    static void starting(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        send(exchange, 503, body(503, "the server is starting"));
    }

    private static JsonObjectBuilder body(int code, String message) {
        return Json.createObjectBuilder().add("message", message).add("code", code);
    }

    private static void send(HttpServerExchange exchange, int status, JsonObjectBuilder body) {
        if (exchange.isResponseStarted()) {
            return;
        }
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send(body.build().toString(), StandardCharsets.UTF_8);
    }
}
