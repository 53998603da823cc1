package dev.holdfast.access;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What a project is given when nobody says otherwise: {@code holdfast.access.plan.*}. */
@Dependent
public class PlanConfig {
    @Inject
    @ConfigProperty(name = "holdfast.access.plan.bytes", defaultValue = "107374182400")
    private long bytes;

    @Inject
    @ConfigProperty(name = "holdfast.access.plan.snapshots", defaultValue = "1000")
    private int snapshots;

    @Inject
    @ConfigProperty(name = "holdfast.access.plan.live-sandboxes", defaultValue = "100")
    private int liveSandboxes;

    @Inject
    @ConfigProperty(name = "holdfast.access.plan.longest-lifetime", defaultValue = "PT24H")
    private Duration longestLifetime;

    Allowance allowance() {
        return new Allowance(bytes, snapshots, liveSandboxes, longestLifetime);
    }
}
