package dev.holdfast.api;

import dev.holdfast.sandbox.Metric;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.workbench.Sessions;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A sandbox as a session of the Workbench, also one that has ended.
 *
 * @param profile absent for one that was made elsewhere
 * @param snapshotId the snapshot it was loaded from
 * @param mounts the volumes that it sees, and where
 * @param heldBy who has it open in a tab
 * @param now the server's clock, for what is left of its time
 * @param usage absent until it is measured
 * @param endReason why it has ended
 */
@Schema(
        name = "Session",
        requiredProperties = {
            "id",
            "state",
            "templateId",
            "timeout",
            "mounts",
            "createdAt",
            "createdBy",
            "endAt",
            "now"
        })
public record SessionView(
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String id,
        @Schema(
                        enumeration = {
                            "starting",
                            "running",
                            "snapshotting",
                            "pausing",
                            "paused",
                            "resuming",
                            "ended"
                        })
                String state,
        @Schema(examples = "code-interpreter-v1") String templateId,
        @Schema(format = "uuid") String snapshotId,
        @Schema(examples = "standard") String profile,
        long timeout,
        Boolean internet,
        List<MountView> mounts,
        Instant createdAt,
        String createdBy,
        Instant startedAt,
        Instant endAt,
        Instant now,
        String endReason,
        String endDetail,
        String heldBy,
        UsageView usage,
        SandboxView.ReportView restore) {

    /** What it used a moment ago, in bytes. */
    @Schema(
            name = "SessionUsage",
            requiredProperties = {
                "at",
                "cpuPercent",
                "memoryUsed",
                "memoryTotal",
                "diskUsed",
                "diskTotal"
            })
    public record UsageView(
            Instant at,
            double cpuPercent,
            long memoryUsed,
            long memoryTotal,
            long diskUsed,
            long diskTotal) {

        static UsageView of(Metric metric) {
            return new UsageView(
                    metric.at(),
                    metric.cpuUsedPct(),
                    metric.memUsed(),
                    metric.memTotal(),
                    metric.diskUsed(),
                    metric.diskTotal());
        }
    }

    static SessionView of(Sessions.Opened opened, Optional<Metric> usage, Instant now) {
        Sandbox sandbox = opened.sandbox();
        boolean live = sandbox.state() != SandboxState.ENDED;
        return new SessionView(
                sandbox.id().value(),
                sandbox.state().name().toLowerCase(Locale.ROOT),
                sandbox.template().value(),
                sandbox.snapshot().map(UUID::toString).orElse(null),
                opened.session().profile().orElse(null),
                sandbox.lifetime().toSeconds(),
                sandbox.network().isOpen(),
                MountView.of(sandbox.mounts()),
                sandbox.createdAt(),
                sandbox.createdBy(),
                sandbox.startedAt().orElse(null),
                sandbox.endAt(),
                now,
                sandbox.endReason().map(reason -> reason.words()).orElse(null),
                sandbox.endDetail().orElse(null),
                live ? opened.heldBy().orElse(null) : null,
                live ? usage.map(UsageView::of).orElse(null) : null,
                sandbox.restored().map(SandboxView.ReportView::of).orElse(null));
    }
}
