package dev.holdfast.api;

import dev.holdfast.autosave.Report;
import dev.holdfast.sandbox.RestoreReport;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.SandboxTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A sandbox, also one that has ended.
 *
 * @param snapshotId the snapshot it was made from, which it occupies while it lives
 * @param idleTimeout how many seconds it may be without traffic and commands
 * @param accessToken for its data plane; absent when that is open, and once it has ended
 * @param trafficToken for its user ports; absent when they are public, and once it has ended
 * @param mounts the volumes that it sees, and where
 * @param restore what became of it when it was last made from a saved state
 * @param capturePolicy when it is captured by itself, if it is
 */
@Schema(
        name = "Sandbox",
        requiredProperties = {
            "id",
            "templateId",
            "state",
            "secured",
            "onTimeout",
            "autoResume",
            "timeout",
            "metadata",
            "mounts",
            "createdAt",
            "createdBy",
            "endAt"
        })
public record SandboxView(
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String id,
        @Schema(examples = "base") String templateId,
        @Schema(format = "uuid") String snapshotId,
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
        String worker,
        boolean secured,
        String accessToken,
        String trafficToken,
        @Schema(enumeration = {"kill", "pause", "pause_disk"}) String onTimeout,
        boolean autoResume,
        long timeout,
        Long idleTimeout,
        Map<String, String> metadata,
        List<MountView> mounts,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy,
        Instant startedAt,
        Instant endAt,
        String endReason,
        String endDetail,
        ReportView restore,
        CapturePolicyView capturePolicy) {

    /** See {@link RestoreReport}. */
    @Schema(
            name = "RestoreReport",
            requiredProperties = {"renewed", "notRenewed", "cut", "shared", "clockSkewMillis"})
    public record ReportView(
            List<String> renewed,
            List<String> notRenewed,
            List<String> cut,
            List<String> shared,
            long clockSkewMillis) {

        static ReportView of(RestoreReport report) {
            return new ReportView(
                    report.renewed(),
                    report.notRenewed(),
                    report.cut(),
                    report.shared(),
                    report.clockSkewMillis());
        }
    }

    static SandboxView of(Sandbox sandbox, SandboxTokens tokens, Optional<Report> policy) {
        boolean live = sandbox.state() != SandboxState.ENDED;
        return new SandboxView(
                sandbox.id().value(),
                sandbox.template().value(),
                sandbox.snapshot().map(UUID::toString).orElse(null),
                word(sandbox.state()),
                sandbox.worker(),
                sandbox.isSecured(),
                live && sandbox.isSecured() ? tokens.access(sandbox.id()) : null,
                live && !sandbox.network().publicTraffic() ? tokens.traffic(sandbox.id()) : null,
                word(sandbox.lifecycle().onTimeout()),
                sandbox.lifecycle().autoResume(),
                sandbox.lifetime().toSeconds(),
                sandbox.lifecycle().idleTimeout().map(Duration::toSeconds).orElse(null),
                sandbox.metadata(),
                MountView.of(sandbox.mounts()),
                sandbox.createdAt(),
                sandbox.createdBy(),
                sandbox.startedAt().orElse(null),
                sandbox.endAt(),
                sandbox.endReason().map(reason -> reason.words()).orElse(null),
                sandbox.endDetail().orElse(null),
                sandbox.restored().map(ReportView::of).orElse(null),
                policy.map(CapturePolicyView::of).orElse(null));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
