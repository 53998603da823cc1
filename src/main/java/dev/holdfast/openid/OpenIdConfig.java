package dev.holdfast.openid;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code holdfast.openid.*}; what only the client needs stands in its own {@code oidc.json}. */
@ApplicationScoped
public class OpenIdConfig {

    @Inject
    @ConfigProperty(name = "holdfast.openid.provider-url")
    Optional<String> providerUrl;

    @Inject
    @ConfigProperty(name = "holdfast.openid.client-secret")
    Optional<String> clientSecret;

    @Inject
    @ConfigProperty(name = "holdfast.openid.name", defaultValue = "OpenID Connect")
    String name;

    @Inject
    @ConfigProperty(name = "holdfast.openid.client-id", defaultValue = "holdfast")
    String clientId;

    @Inject
    @ConfigProperty(name = "holdfast.openid.scopes", defaultValue = "profile")
    String scopes;

    @Inject
    @ConfigProperty(name = "holdfast.openid.claim", defaultValue = "roles")
    String claim;

    @Inject
    @ConfigProperty(name = "holdfast.openid.roles")
    Optional<String> roles;

    @Inject
    @ConfigProperty(name = "holdfast.openid.longest", defaultValue = "PT1H")
    Duration longest;

    /**
     * That the client has what it needs, which it would miss only when somebody comes.
     *
     * @throws IllegalStateException naming the setting
     */
    void requireProvider() {
        if (providerUrl.isEmpty() || clientSecret.isEmpty()) {
            throw new IllegalStateException(
                    "HOLDFAST_OPENID_PROVIDER_URL and HOLDFAST_OPENID_CLIENT_SECRET must be set");
        }
    }

    /** Whose people they are, on the button. */
    String name() {
        return name;
    }

    /** What the provider calls this installation. */
    String clientId() {
        return clientId;
    }

    /** What is asked for beside {@code openid}, with spaces between. */
    String scopes() {
        return scopes;
    }

    /** The claim of the ID token that holds the roles. */
    String claim() {
        return claim;
    }

    /**
     * What the operator's own roles give.
     *
     * @throws IllegalArgumentException saying what is malformed
     */
    RoleMapping mapping() {
        return RoleMapping.read(roles.orElse(""));
    }

    /** How long a sign-in lasts at most. */
    Duration longest() {
        return longest;
    }
}
