package dev.holdfast.console;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of the console, {@code holdfast.console.*}; durations in ISO 8601. */
@ApplicationScoped
public class ConsoleConfig {

    @Inject
    @ConfigProperty(name = "holdfast.console.served", defaultValue = "true")
    boolean served;

    @Inject
    @ConfigProperty(name = "holdfast.console.idle", defaultValue = "PT2H")
    Duration idle;

    @Inject
    @ConfigProperty(name = "holdfast.console.longest", defaultValue = "PT12H")
    Duration longest;

    @Inject
    @ConfigProperty(name = "holdfast.console.attempts", defaultValue = "10")
    int attempts;

    @Inject
    @ConfigProperty(name = "holdfast.console.secure", defaultValue = "auto")
    String secure;

    private CookieSecurity security;

    /** A word that means nothing is told when the console is first asked for, and not later. */
    @PostConstruct
    void check() {
        security = CookieSecurity.of(secure);
    }

    /** When the cookie is one that browsers keep to TLS. */
    CookieSecurity secure() {
        return security;
    }

    /** Whether this node has a console; one that only works need not. */
    public boolean isServed() {
        return served;
    }

    /** How long a sign-in lasts that is not used. */
    Duration idle() {
        return idle;
    }

    /** How long it lasts at most. */
    Duration longest() {
        return longest;
    }

    /** How many keys that are not taken an address may try in a minute. */
    int attempts() {
        return attempts;
    }
}
