package dev.holdfast.snapshot;

import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What stays of a removed snapshot, so that a late caller is told what became of it. */
@Entity
public class Tombstone {

    @Id private UUID snapshotId;
    private UUID projectId;
    private UUID uploadId;

    @Enumerated(EnumType.STRING)
    private Kind kind;

    private String sourceSandboxId;
    private UUID parentId;
    private String shortName;
    private String tag;
    private Instant startedAt;

    @Enumerated(EnumType.STRING)
    private RemovalReason reason;

    @Enumerated(EnumType.STRING)
    private Reason failureReason;

    private String failure;
    private Instant removedAt;
    private Instant expiredAt;

    /** By the database: it is kept for as long from then on, however long it lay in the trash. */
    @Column(insertable = false, updatable = false)
    private Instant buriedAt;

    protected Tombstone() {}

    /**
     * @param parent null where its source was made from no snapshot
     * @param expiredAt null unless that is why it was removed
     */
    Tombstone(
            Operation capture,
            UUID projectId,
            UUID parent,
            RemovalReason reason,
            Instant removedAt,
            Instant expiredAt) {
        this.snapshotId = capture.snapshot().value();
        this.projectId = projectId;
        this.parentId = parent;
        this.uploadId = capture.upload().value();
        this.kind = capture.kind();
        this.sourceSandboxId = capture.source().value();
        this.shortName = capture.name().map(SnapshotName::shortName).orElse(null);
        this.tag = capture.name().map(SnapshotName::tag).orElse(null);
        this.startedAt = capture.startedAt();
        this.reason = reason;
        this.failureReason = capture.failure().map(Failure::reason).orElse(null);
        this.failure = capture.failure().map(Failure::words).orElse(null);
        this.removedAt = removedAt;
        this.expiredAt = expiredAt;
    }

    /** The same that was said of it while it had a row. */
    public Gone gone() {
        return new Gone(
                new SnapshotId(snapshotId), reason, expiredAt == null ? removedAt : expiredAt);
    }

    /** Why its capture came to nothing. */
    public Optional<Failure> whyFailed() {
        return Optional.ofNullable(failureReason).map(why -> new Failure(why, failure));
    }

    /** Its capture as an act; asked only of one that was found by it. */
    Operation operation() {
        return new Operation(
                new UploadId(uploadId),
                kind,
                new SandboxId(sourceSandboxId),
                new SnapshotId(snapshotId),
                whyFailed().map(OperationState::of).orElse(OperationState.DONE),
                Phase.DONE,
                Optional.ofNullable(shortName).map(name -> new SnapshotName(name, tag)),
                0,
                Optional.empty(),
                Optional.empty(),
                startedAt,
                Optional.empty(),
                whyFailed().map(why -> removedAt),
                whyFailed());
    }
}
