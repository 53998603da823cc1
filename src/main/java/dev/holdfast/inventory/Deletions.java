package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.inventory.Deletion.Outcome;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;

/** Deletes snapshots that were chosen together, each in a transaction of its own. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Deletions {

    @Inject Snapshots snapshots;

    /**
     * @throws Problem what keeps it
     */
    public Deletion delete(ProjectId project, SnapshotId id) {
        return snapshots
                .lock(project, id)
                .filter(Snapshot::isAskedFor)
                .map(this::delete)
                .orElseGet(() -> absent(project, id));
    }

    private Deletion delete(Snapshot snapshot) {
        if (snapshots.delete(snapshot)) {
            return Deletion.done(snapshot.id());
        }
        return Deletion.of(snapshot.id(), Outcome.AWAITING_CLEANUP, snapshot.gone().problem());
    }

    private Deletion absent(ProjectId project, SnapshotId id) {
        Problem why =
                snapshots
                        .tombstone(project, id)
                        .map(stone -> stone.gone().problem())
                        .orElseGet(
                                () ->
                                        new Problem(
                                                Reason.SNAPSHOT_NOT_FOUND,
                                                "There is no snapshot " + id + "."));
        return Deletion.of(id, Outcome.NOT_FOUND, why);
    }
}
