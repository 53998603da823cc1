package dev.holdfast.autosave;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import java.util.UUID;

/** That a policy made a snapshot; it goes with the snapshot's row. */
@Entity
class AutosaveCapture {

    @Id private UUID snapshotId;
    private String sandboxId;

    @Enumerated(EnumType.STRING)
    private Cause cause;

    protected AutosaveCapture() {}

    AutosaveCapture(SnapshotId snapshot, SandboxId sandbox, Cause cause) {
        this.snapshotId = snapshot.value();
        this.sandboxId = sandbox.value();
        this.cause = cause;
    }
}
