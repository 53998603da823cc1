package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandbox;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Methods;
import java.time.Instant;
import java.util.Optional;

/** Who may speak to the data plane of a sandbox. */
final class DataPlaneAccess {

    private static final String NO_TOKEN =
            "unauthorized access, please provide a valid access token or method signing if"
                    + " supported";

    private DataPlaneAccess() {}

    /** Why not; empty when the request may pass. */
    static Optional<String> refusal(
            HttpServerExchange exchange, LiveSandbox sandbox, SandboxTokens tokens, Instant now) {
        if (!sandbox.isSecured() || isHealthProbe(exchange)) {
            return Optional.empty();
        }
        String presented = exchange.getRequestHeaders().getFirst(InwardHeaders.ACCESS_TOKEN);
        if (tokens.isAccess(sandbox.id(), presented)) {
            return Optional.empty();
        }
        if (SignedFile.operation(exchange).isEmpty()) {
            return Optional.of(NO_TOKEN);
        }
        return presented == null
                ? unsigned(exchange, tokens.access(sandbox.id()), now)
                : Optional.of("access token present in header but does not match");
    }

    /** Whether the caller has proved that the sandbox is his, where that is asked at all. */
    static boolean isProved(
            HttpServerExchange exchange, LiveSandbox sandbox, SandboxTokens tokens) {
        return !sandbox.isSecured()
                || tokens.isAccess(
                        sandbox.id(),
                        exchange.getRequestHeaders().getFirst(InwardHeaders.ACCESS_TOKEN));
    }

    private static Optional<String> unsigned(
            HttpServerExchange exchange, String token, Instant now) {
        Optional<SignedFile> signed = SignedFile.of(exchange);
        if (signed.isEmpty()) {
            return Optional.of("missing signature query parameter");
        }
        if (!signed.get().isSignedWith(token)) {
            return Optional.of("invalid signature");
        }
        return signed.get().isExpired(now)
                ? Optional.of("signature is already expired")
                : Optional.empty();
    }

    private static boolean isHealthProbe(HttpServerExchange exchange) {
        return exchange.getRequestMethod().equals(Methods.GET)
                && GatewayHandler.rawPath(exchange).equals("/health");
    }
}
