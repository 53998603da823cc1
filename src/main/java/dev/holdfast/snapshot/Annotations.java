package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.OptionalLong;

/** What people write on snapshots, while they are made and as long as they are kept. */
@Stateless
public class Annotations {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
    @Inject DatabaseTime time;
    @Inject Snapshots snapshots;

    /** Called in the transaction that accepts the capture. */
    public void label(Snapshot accepted, Labels labels) {
        accepted.label(labels);
    }

    /**
     * @param seen the version that the caller saw, if it matters to it
     * @throws Problem what became of one that is no more; {@code precondition_failed}; {@code
     *     invalid_parameter} for too many labels
     */
    public Snapshot change(
            ProjectId project, SnapshotId id, Annotation annotation, OptionalLong seen) {
        Snapshot snapshot = snapshots.lockAskedFor(project, id);
        if (snapshot.state() != SnapshotState.UPLOADING) {
            snapshot.requireUsable(time.now());
        }
        snapshot.requireVersion(seen);
        snapshot.annotate(annotation);
        audit.done(
                Deeds.of(Action.SNAPSHOT_CHANGE, snapshot)
                        .with("note", annotation.note().isPresent() ? "changed" : null)
                        .with(
                                "labels",
                                annotation.labels().isEmpty()
                                        ? null
                                        : String.join(" ", annotation.labels().keySet())));
        em.flush();
        changes.tell(snapshot);
        return snapshot;
    }
}
