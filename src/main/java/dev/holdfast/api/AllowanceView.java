package dev.holdfast.api;

import dev.holdfast.access.Allowance;
import dev.holdfast.problem.Problem;
import java.time.Duration;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How much a project may have at once. */
@Schema(
        name = "Allowance",
        requiredProperties = {"bytes", "snapshots", "liveSandboxes", "longestLifetimeSeconds"})
public record AllowanceView(
        long bytes, int snapshots, int liveSandboxes, long longestLifetimeSeconds) {
    private static final String BYTES = "bytes";
    private static final String SNAPSHOTS = "snapshots";
    private static final String LIVE_SANDBOXES = "liveSandboxes";
    private static final String LIFETIME = "longestLifetimeSeconds";

    static final Set<String> MEMBERS = Set.of(BYTES, SNAPSHOTS, LIVE_SANDBOXES, LIFETIME);

    static AllowanceView of(Allowance allowance) {
        return new AllowanceView(
                allowance.bytes(),
                allowance.snapshots(),
                allowance.liveSandboxes(),
                allowance.longestLifetime().toSeconds());
    }

    /** What a change does not say stays. */
    static Allowance changed(Allowance before, Change change) {
        Duration lifetime = change.seconds(LIFETIME).orElse(before.longestLifetime());
        if (lifetime.isZero()) {
            throw Problem.invalid(LIFETIME, "\"" + LIFETIME + "\" is at least 1.");
        }
        return new Allowance(
                change.number(BYTES, Long.MAX_VALUE).orElse(before.bytes()),
                count(change, SNAPSHOTS, before.snapshots()),
                count(change, LIVE_SANDBOXES, before.liveSandboxes()),
                lifetime);
    }

    private static int count(Change change, String name, int before) {
        return change.number(name, Integer.MAX_VALUE).map(Long::intValue).orElse(before);
    }
}
