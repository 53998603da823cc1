package dev.holdfast.webhook;

import dev.holdfast.audit.AddressBlock;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code holdfast.webhook.*}. */
@Dependent
public class WebhookConfig {

    /** How many endpoints a project may have. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.most", defaultValue = "20")
    int most;

    /** Inner addresses that deliveries may go to; none unless it is set. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.allowed")
    Optional<String> allowed;

    /** Whether endpoints may have addresses without TLS. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.insecure", defaultValue = "false")
    boolean insecure;

    /** How long an endpoint may take for one delivery. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.patience", defaultValue = "PT10S")
    Duration patience;

    /** After how long of failures alone an endpoint is taken for dead. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.dead-after", defaultValue = "P3D")
    Duration deadAfter;

    /** How long the secret before the last rotation is good. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.rotation", defaultValue = "PT24H")
    Duration rotation;

    /** How long the log of deliveries is kept. */
    @Inject
    @ConfigProperty(name = "holdfast.webhook.retention", defaultValue = "P7D")
    Duration retention;

    Reach reach() {
        return new Reach(AddressBlock.list(allowed.orElse("")));
    }
}
