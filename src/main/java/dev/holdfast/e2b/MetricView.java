package dev.holdfast.e2b;

import dev.holdfast.sandbox.Metric;
import java.time.Instant;

/** What a sandbox used at a moment; sizes in bytes. */
public record MetricView(
        Instant timestamp,
        long timestampUnix,
        int cpuCount,
        double cpuUsedPct,
        long memUsed,
        long memTotal,
        long memCache,
        long diskUsed,
        long diskTotal) {

    static MetricView of(Metric metric) {
        return new MetricView(
                metric.at(),
                metric.at().getEpochSecond(),
                metric.cpuCount(),
                metric.cpuUsedPct(),
                metric.memUsed(),
                metric.memTotal(),
                metric.memCache(),
                metric.diskUsed(),
                metric.diskTotal());
    }
}
