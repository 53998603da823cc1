package dev.holdfast.autosave;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.UploadId;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A sandbox's policy, and how far it has been carried out. */
@Entity
public class Autosave {

    @Id private String sandboxId;
    private UUID projectId;
    @Embedded private CapturePolicy policy;
    private Instant setAt;
    private String setBy;
    private Instant nextAt;
    private Instant unchangedAt;
    private UUID uploadId;

    @Enumerated(EnumType.STRING)
    private Cause cause;

    private Instant capturedAt;
    private Instant alarmedAt;
    private Instant refusedAt;

    @Enumerated(EnumType.STRING)
    private Cause refusedCause;

    @Enumerated(EnumType.STRING)
    private Reason refusedReason;

    private String refusedDetail;
    private boolean crowded;
    @Version private long version;

    protected Autosave() {}

    Autosave(ProjectId project, SandboxId sandbox) {
        this.projectId = project.value();
        this.sandboxId = sandbox.value();
    }

    /** A capture that a policy began. */
    public record Run(Instant at, Cause cause, UploadId upload) {}

    /**
     * A capture that a policy ordered and that was not taken.
     *
     * @param reason as whoever asks for a capture would be told
     */
    public record Refusal(Instant at, Cause cause, Reason reason, String detail) {}

    public SandboxId sandbox() {
        return new SandboxId(sandboxId);
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public CapturePolicy policy() {
        return policy;
    }

    public Instant setAt() {
        return setAt;
    }

    /** Who wants it so, as the text of a principal. */
    public String setBy() {
        return setBy;
    }

    /** When its interval is over. */
    public Optional<Instant> nextAt() {
        return Optional.ofNullable(nextAt);
    }

    /** When its interval was over the last time that nothing had changed. */
    public Optional<Instant> unchangedAt() {
        return Optional.ofNullable(unchangedAt);
    }

    /** The last capture that it began. */
    public Optional<Run> lastRun() {
        return Optional.ofNullable(uploadId)
                .map(upload -> new Run(capturedAt, cause, new UploadId(upload)));
    }

    Optional<UploadId> lastUpload() {
        return lastRun().map(Run::upload);
    }

    public Optional<Refusal> lastRefusal() {
        return Optional.ofNullable(refusedAt)
                .map(at -> new Refusal(at, refusedCause, refusedReason, refusedDetail));
    }

    /** Its interval begins now, unless it is the one it had; what is too many is looked for. */
    void set(CapturePolicy wanted, String by, Instant now, double chance) {
        boolean sameInterval =
                policy != null && policy.interval().equals(wanted.interval()) && nextAt != null;
        policy = wanted;
        setAt = now;
        setBy = by;
        crowded = true;
        if (!sameInterval) {
            nextAt = wanted.next(now, chance).orElse(null);
        }
    }

    /** Whether it is to capture for that now. */
    boolean wants(Cause why, Instant now, Duration betweenAlarms) {
        return policy.isFor(why)
                && switch (why) {
                    case INTERVAL -> nextAt != null && !nextAt.isAfter(now);
                    case MEMORY -> alarmedAt == null || !alarmedAt.plus(betweenAlarms).isAfter(now);
                    case TIMEOUT, KILL -> true;
                };
    }

    /** It captures: the interval begins anew, whatever the cause. */
    void began(Cause why, UploadId upload, Instant now, double chance) {
        uploadId = upload.value();
        cause = why;
        capturedAt = now;
        crowded = true;
        over(why, now, chance);
    }

    /** The capture was not taken; the next interval or alarm tries again. */
    void refused(Cause why, Problem problem, Instant now, double chance) {
        refusedAt = now;
        refusedCause = why;
        refusedReason = problem.reason();
        refusedDetail = problem.getMessage();
        over(why, now, chance);
    }

    /** Nothing has changed. */
    void skip(Instant now, double chance) {
        unchangedAt = now;
        nextAt = policy.next(now, chance).orElse(null);
    }

    private void over(Cause why, Instant now, double chance) {
        nextAt = policy.next(now, chance).orElse(null);
        if (why == Cause.MEMORY) {
            alarmedAt = now;
        }
    }

    /** No more of its captures are kept than it says. */
    void cleared() {
        crowded = false;
    }
}
