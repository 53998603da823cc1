package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandbox;
import dev.holdfast.worker.Presence;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The ports of the sandboxes that are live here: those that we answer, and all the others. */
final class SandboxPorts {

    /** Operations of envd that only a server may ask for; from outside they do not exist. */
    private static final Set<String> INTERNAL_OPERATIONS =
            Set.of("init", "freeze", "unfreeze", "collapse", "fsfreeze", "fsthaw", "upgrade");

    /** What is read as it comes, however long that takes. */
    private static final Set<String> STREAMED = Set.of("/files", "/process.Process/StreamInput");

    /**
     * How many pooled buffers (of 16 KiB) are collected of a message of envd, which may have 4 MiB.
     */
    private static final int MESSAGE_BUFFERS = 258;

    private final HttpHandler application;
    private final HttpHandler messages;
    private final Departures departures = new Departures();
    private final PortProxy others = new PortProxy(departures);
    private final Clock clock = Clock.systemUTC();

    SandboxPorts(HttpHandler application) {
        this.application = application;
        this.messages = new MessageBodies(application, MESSAGE_BUFFERS);
    }

    void serve(
            HttpServerExchange exchange,
            LiveSandbox sandbox,
            Router.ToSandbox target,
            SandboxTokens tokens)
            throws Exception {
        if (target.port() == GatewayHandler.ENVD_PORT) {
            toEnvd(exchange, sandbox, tokens);
        } else if (isRefusedTraffic(exchange, sandbox, tokens)) {
            GatewayAnswers.trafficRefused(exchange, target.sandbox());
        } else if (target.port() == GatewayHandler.INTERPRETER_PORT) {
            toInterpreter(exchange, sandbox, tokens);
        } else {
            attend(exchange, sandbox);
            others.pass(exchange, sandbox, target);
        }
    }

    private void toEnvd(HttpServerExchange exchange, LiveSandbox sandbox, SandboxTokens tokens)
            throws Exception {
        if (isInternalOperation(exchange)) {
            GatewayAnswers.notFound(exchange);
            return;
        }
        Optional<String> refusal =
                DataPlaneAccess.refusal(exchange, sandbox, tokens, clock.instant());
        if (refusal.isPresent()) {
            GatewayAnswers.unauthorized(exchange, refusal.get());
            return;
        }
        boolean streams = STREAMED.contains(GatewayHandler.rawPath(exchange));
        enter(exchange, new Visit(sandbox, departures, true), Gateway.ENVD_PREFIX);
        (streams ? application : messages).handleRequest(exchange);
    }

    private void toInterpreter(
            HttpServerExchange exchange, LiveSandbox sandbox, SandboxTokens tokens)
            throws Exception {
        boolean proved = DataPlaneAccess.isProved(exchange, sandbox, tokens);
        enter(exchange, new Visit(sandbox, departures, proved), Gateway.INTERPRETER_PREFIX);
        messages.handleRequest(exchange);
    }

    private static void enter(HttpServerExchange exchange, Visit visit, String prefix) {
        attend(exchange, visit.sandbox());
        exchange.putAttachment(Gateway.VISIT, visit);
        // Three views of the path: the raw one for JAX-RS, the decoded ones for servlet mapping.
        exchange.setRequestURI(prefix + GatewayHandler.rawPath(exchange), false);
        exchange.setRequestPath(prefix + exchange.getRequestPath());
        exchange.setRelativePath(prefix + exchange.getRelativePath());
    }

    /** Whoever was let in is there until the exchange is over, or its connection was cut. */
    private static void attend(HttpServerExchange exchange, LiveSandbox sandbox) {
        Presence.Guest guest =
                sandbox.presence()
                        .enter(() -> exchange.isComplete() || !exchange.getConnection().isOpen());
        exchange.addExchangeCompleteListener(
                (x, next) -> {
                    guest.leave();
                    next.proceed();
                });
    }

    /** Every port but envd's, which has a token of its own. */
    private static boolean isRefusedTraffic(
            HttpServerExchange exchange, LiveSandbox sandbox, SandboxTokens tokens) {
        return !sandbox.hasPublicTraffic()
                && !tokens.isTraffic(
                        sandbox.id(),
                        exchange.getRequestHeaders().getFirst(InwardHeaders.TRAFFIC_TOKEN));
    }

    private static boolean isInternalOperation(HttpServerExchange exchange) {
        String[] segments = GatewayHandler.canonical(exchange).split("/", 3);
        return segments.length > 1
                && INTERNAL_OPERATIONS.contains(segments[1].toLowerCase(Locale.ROOT));
    }
}
