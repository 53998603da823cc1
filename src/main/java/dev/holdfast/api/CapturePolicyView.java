package dev.holdfast.api;

import dev.holdfast.autosave.Autosave;
import dev.holdfast.autosave.CapturePolicy;
import dev.holdfast.autosave.Report;
import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.Operation;
import dev.holdfast.snapshot.OperationState;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * When a sandbox is captured by itself, and what has come of it.
 *
 * @param kept how many of its captures are saved now
 * @param nextRunAt when its interval is over; it is captured then if something has changed
 * @param unchangedAt when its interval was over the last time that nothing had changed
 * @param lastError of the last capture, or of the last that was not even begun
 */
@Schema(
        name = "CapturePolicy",
        requiredProperties = {
            "atTimeout",
            "onKill",
            "onMemoryDanger",
            "keepLast",
            "setAt",
            "setBy",
            "kept"
        })
public record CapturePolicyView(
        @Schema(examples = "600") Long every,
        boolean atTimeout,
        boolean onKill,
        boolean onMemoryDanger,
        Integer memoryPercent,
        @Schema(examples = "5") int keepLast,
        Long retention,
        Instant setAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String setBy,
        long kept,
        Instant nextRunAt,
        Instant unchangedAt,
        RunView lastRun,
        ErrorView lastError) {

    private static final String CAUSES = "interval, timeout, kill or memory";

    /**
     * A capture that the policy began.
     *
     * @param snapshotId absent when nobody remembers it any more, as is its state
     */
    @Schema(
            name = "CapturePolicyRun",
            requiredProperties = {"at", "cause", "uploadId"})
    public record RunView(
            Instant at,
            @Schema(
                            description = CAUSES,
                            enumeration = {"interval", "timeout", "kill", "memory"})
                    String cause,
            @Schema(format = "uuid") String uploadId,
            @Schema(format = "uuid") String snapshotId,
            @Schema(enumeration = {"running", "done", "failed", "cancelled", "expired"})
                    String state) {}

    /** Why there is no snapshot of it. */
    @Schema(
            name = "CapturePolicyError",
            requiredProperties = {"at", "cause", "reason", "message"})
    public record ErrorView(
            Instant at,
            @Schema(
                            description = CAUSES,
                            enumeration = {"interval", "timeout", "kill", "memory"})
                    String cause,
            @Schema(examples = "quota_count_exceeded") String reason,
            String message) {}

    static CapturePolicyView of(Report report) {
        Autosave autosave = report.autosave();
        CapturePolicy policy = autosave.policy();
        return new CapturePolicyView(
                policy.everySeconds(),
                policy.atTimeout(),
                policy.onKill(),
                policy.memoryPercent() != null,
                policy.memoryPercent(),
                policy.keepLast(),
                policy.retentionSeconds(),
                autosave.setAt(),
                autosave.setBy(),
                report.kept(),
                autosave.nextAt().filter(next -> report.live()).orElse(null),
                autosave.unchangedAt().orElse(null),
                autosave.lastRun().map(run -> view(run, report.last())).orElse(null),
                error(report).orElse(null));
    }

    private static RunView view(Autosave.Run run, Optional<Operation> last) {
        return new RunView(
                run.at(),
                run.cause().word(),
                run.upload().toString(),
                last.filter(each -> each.state() == OperationState.DONE)
                        .map(each -> each.snapshot().toString())
                        .orElse(null),
                last.map(each -> each.state().word()).orElse(null));
    }

    /** The later of the two. */
    private static Optional<ErrorView> error(Report report) {
        Optional<ErrorView> failed = failed(report);
        Optional<ErrorView> refused = refused(report.autosave());
        return failed.filter(
                        each -> refused.filter(other -> other.at().isAfter(each.at())).isEmpty())
                .or(() -> refused);
    }

    private static Optional<ErrorView> failed(Report report) {
        Optional<Failure> failure = report.last().flatMap(Operation::failure);
        return report.autosave().lastRun().flatMap(run -> failure.map(why -> view(run, why)));
    }

    private static ErrorView view(Autosave.Run run, Failure failure) {
        return new ErrorView(
                run.at(), run.cause().word(), failure.reason().word(), failure.words());
    }

    private static Optional<ErrorView> refused(Autosave autosave) {
        return autosave.lastRefusal()
                .map(
                        refusal ->
                                new ErrorView(
                                        refusal.at(),
                                        refusal.cause().word(),
                                        refusal.reason().word(),
                                        refusal.detail()));
    }
}
