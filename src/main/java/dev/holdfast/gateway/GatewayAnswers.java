package dev.holdfast.gateway;

import dev.holdfast.hop.Hops;
import dev.holdfast.hop.Peer;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.ProblemBody;
import dev.holdfast.problem.Reason;
import dev.holdfast.problem.RequestId;
import dev.holdfast.sandbox.SandboxId;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.nio.ByteBuffer;
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
        askAgain(exchange, sandbox, Reason.RATE_LIMITED, "too many connections to the sandbox");
    }

    /** The same to who asks over the native API. */
    static void tooManyNatively(HttpServerExchange exchange) {
        askAgain(
                exchange,
                new Problem(
                        Reason.RATE_LIMITED,
                        "Too much is under way to that session or volume. End some of it, and try"
                                + " again."));
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

    static void notWoken(HttpServerExchange exchange, SandboxId sandbox, Problem problem) {
        int status = problem.reason().status();
        problem.retryAfter()
                .ifPresent(
                        wait ->
                                exchange.getResponseHeaders()
                                        .put(Headers.RETRY_AFTER, wait.toSeconds()));
        send(
                exchange,
                status,
                body(status, problem.getMessage())
                        .add("reason", problem.reason().word())
                        .add("sandboxId", sandbox.value()));
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

    /** The sandbox's worker renews no lease, or does not answer. */
    static void unreachable(HttpServerExchange exchange, SandboxId sandbox) {
        askAgain(
                exchange,
                sandbox,
                Reason.WORKER_UNREACHABLE,
                "The sandbox's worker cannot be reached");
    }

    /** It left for another node between two looks; whoever asks again is sent there. */
    static void moved(HttpServerExchange exchange, SandboxId sandbox) {
        askAgain(
                exchange,
                sandbox,
                Reason.TEMPORARILY_UNAVAILABLE,
                "The sandbox goes on on another node; ask again");
    }

    private static void askAgain(
            HttpServerExchange exchange, SandboxId sandbox, Reason reason, String message) {
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        send(
                exchange,
                reason.status(),
                body(reason.status(), message)
                        .add("reason", reason.word())
                        .add("sandboxId", sandbox.value()));
    }

    private static void askAgain(HttpServerExchange exchange, Problem problem) {
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        refuse(exchange, problem);
    }

    /** The same to who asks over the native API. */
    static void unreachable(HttpServerExchange exchange, Peer peer) {
        askAgain(
                exchange,
                new Problem(
                        Reason.WORKER_UNREACHABLE,
                        "Node " + peer.worker() + " cannot be reached. Try again."));
    }

    /** Somebody made the header who is no node, or a node whose clock is wrong. */
    static void hopRefused(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Hops.HEADER, Hops.REFUSED);
        send(
                exchange,
                403,
                body(403, "header Holdfast-Hop is for nodes of this installation")
                        .add("reason", Reason.PERMISSION_MISSING.word()));
    }

    /** What a node without the control role answers to all but other nodes. */
    static void noControl(HttpServerExchange exchange) {
        refuse(
                exchange,
                new Problem(
                        Reason.NOT_FOUND,
                        "This node runs sandboxes and answers other nodes only. Ask a node with the"
                                + " role \"control\"."));
    }

    static void busy(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        refuse(exchange, Reason.TEMPORARILY_UNAVAILABLE, "the server has too much to do");
    }

    /** The same to who asks over the native API. */
    static void busyNatively(HttpServerExchange exchange) {
        askAgain(
                exchange,
                new Problem(
                        Reason.TEMPORARILY_UNAVAILABLE,
                        "This node has too much to do. Try again."));
    }

    private static void refuse(HttpServerExchange exchange, Problem problem) {
        String asked = exchange.getRequestHeaders().getFirst(RequestId.HEADER);
        String id = RequestId.from(asked).toString();
        ProblemBody body = ProblemBody.of(problem, GatewayHandler.rawPath(exchange), id);
        exchange.setStatusCode(problem.reason().status());
        exchange.getResponseHeaders().put(new HttpString(RequestId.HEADER), id);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, body.mediaType());
        exchange.getResponseSender().send(ByteBuffer.wrap(body.content()));
    }

    static void starting(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        refuse(exchange, Reason.TEMPORARILY_UNAVAILABLE, "the server is starting");
    }

    /** Whoever shares requests out sends no more of them here. */
    static void stopping(HttpServerExchange exchange) {
        refuse(exchange, Reason.SERVER_STOPPING, "the server is about to stop");
    }

    private static void refuse(HttpServerExchange exchange, Reason reason, String message) {
        int status = reason.status();
        send(exchange, status, body(status, message).add("reason", reason.word()));
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
