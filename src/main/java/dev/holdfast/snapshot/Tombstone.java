package dev.holdfast.snapshot;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** What stays of a removed snapshot, so that a late caller is told what became of it. */
@Entity
public class Tombstone {

    @Id private UUID snapshotId;
    private UUID projectId;
    private String shortName;
    private String tag;

    @Enumerated(EnumType.STRING)
    private RemovalReason reason;

    private Instant removedAt;

    protected Tombstone() {}

    Tombstone(
            UUID snapshotId,
            UUID projectId,
            String shortName,
            String tag,
            RemovalReason reason,
            Instant removedAt) {
        this.snapshotId = snapshotId;
        this.projectId = projectId;
        this.shortName = shortName;
        this.tag = tag;
        this.reason = reason;
        this.removedAt = removedAt;
    }

    public RemovalReason reason() {
        return reason;
    }

    public Instant removedAt() {
        return removedAt;
    }
}
