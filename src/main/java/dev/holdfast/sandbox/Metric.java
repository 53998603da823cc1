package dev.holdfast.sandbox;

import java.time.Instant;
import java.util.Objects;

/**
 * What a sandbox used at a moment; sizes in bytes.
 *
 * @param cpuUsedPct of all its processors together, 0 to 100, since the one before
 */
public record Metric(
        SandboxId sandbox,
        Instant at,
        int cpuCount,
        double cpuUsedPct,
        long memUsed,
        long memTotal,
        long memCache,
        long diskUsed,
        long diskTotal) {

    public Metric {
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(at);
        cpuUsedPct = Math.max(0, Math.min(100, cpuUsedPct));
    }
}
