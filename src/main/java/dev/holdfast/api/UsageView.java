package dev.holdfast.api;

import dev.holdfast.sandbox.MetricSeries;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What sandboxes used lately, thinned out.
 *
 * @param step how many seconds a point stands for
 * @param sandboxes those of which anything is known
 */
@Schema(
        name = "SandboxUsage",
        requiredProperties = {"from", "until", "step", "sandboxes"})
public record UsageView(Instant from, Instant until, long step, List<Series> sandboxes) {

    public UsageView {
        sandboxes = sandboxes == null ? List.of() : List.copyOf(sandboxes);
    }

    /** Sizes in bytes. */
    @Schema(
            name = "SandboxUsageSeries",
            requiredProperties = {"id", "cpuCount", "memTotal", "diskTotal", "points"})
    public record Series(
            @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String id,
            int cpuCount,
            long memTotal,
            long diskTotal,
            List<Point> points) {

        public Series {
            points = points == null ? List.of() : List.copyOf(points);
        }

        static Series of(MetricSeries series) {
            return new Series(
                    series.sandbox().value(),
                    series.cpuCount(),
                    series.memTotal(),
                    series.diskTotal(),
                    series.points().stream().map(Point::of).toList());
        }
    }

    /**
     * The mean of a step.
     *
     * @param cpuUsedPct of all its processors together, 0 to 100
     */
    @Schema(
            name = "SandboxUsagePoint",
            requiredProperties = {"at", "cpuUsedPct", "memUsed", "diskUsed"})
    public record Point(Instant at, double cpuUsedPct, long memUsed, long diskUsed) {

        static Point of(MetricSeries.Point point) {
            return new Point(point.at(), point.cpuUsedPct(), point.memUsed(), point.diskUsed());
        }
    }
}
