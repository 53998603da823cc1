package dev.holdfast.audit;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code holdfast.audit.*}. */
@Dependent
public class AuditConfig {
    /** How long entries are kept. */
    @Inject
    @ConfigProperty(name = "holdfast.audit.retention", defaultValue = "P400D")
    Duration retention;

    /**
     * Whose {@code X-Forwarded-For} and {@code X-Forwarded-Proto} are believed; nobody's unless it
     * is set.
     */
    @Inject
    @ConfigProperty(name = "holdfast.audit.trusted-proxies")
    Optional<String> trustedProxies;

    TrustedProxies proxies() {
        return TrustedProxies.read(trustedProxies.orElse(""));
    }
}
