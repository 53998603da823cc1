package dev.holdfast.e2b;

import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxTokens;

/**
 * What create and connect answer.
 *
 * @param envdAccessToken there exactly when the sandbox is secured
 * @param trafficAccessToken there exactly when its user ports are private
 * @param domain absent when none is configured: clients then go by their own setting
 */
public record SandboxView(
        String templateID,
        String sandboxID,
        String clientID,
        String envdVersion,
        String alias,
        String envdAccessToken,
        String trafficAccessToken,
        String domain) {

    static SandboxView of(Sandbox sandbox, SandboxTokens tokens) {
        return new SandboxView(
                sandbox.template().value(),
                sandbox.id().value(),
                E2b.CLIENT_ID,
                E2b.ENVD_VERSION,
                sandbox.template().value(),
                sandbox.isSecured() ? tokens.access(sandbox.id()) : null,
                sandbox.network().publicTraffic() ? null : tokens.traffic(sandbox.id()),
                Domain.told());
    }
}
