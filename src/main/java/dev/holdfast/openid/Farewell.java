package dev.holdfast.openid;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where a provider wants to hear that somebody has left (OpenID Connect RP-Initiated Logout). */
final class Farewell {

    private Farewell() {}

    /**
     * @param endpoint the provider's; null if it has none
     * @param home where the provider sends the browser afterwards
     */
    static Optional<String> address(String endpoint, String idToken, String clientId, String home) {
        if (endpoint == null || !endpoint.matches("https?://.+")) {
            return Optional.empty();
        }
        return Optional.of(
                endpoint
                        + (endpoint.contains("?") ? "&" : "?")
                        + "id_token_hint="
                        + encoded(idToken)
                        + "&client_id="
                        + encoded(clientId)
                        + "&post_logout_redirect_uri="
                        + encoded(home));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
