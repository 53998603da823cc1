package dev.holdfast.sandbox;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What a sandbox used over a span of time, at equal steps; steps without a measure are left out.
 * Sizes in bytes.
 */
public record MetricSeries(
        SandboxId sandbox, int cpuCount, long memTotal, long diskTotal, List<Point> points) {

    public MetricSeries {
        Objects.requireNonNull(sandbox);
        points = List.copyOf(points);
    }

    /**
     * The mean of a step.
     *
     * @param at when it begins
     */
    public record Point(Instant at, double cpuUsedPct, long memUsed, long diskUsed) {}
}
