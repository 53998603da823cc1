package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Captures as acts: their progress, their outcome, and how to end one early. */
@Stateless
public class Operations {

    /** The reasons of a failure that are states of their own. */
    private static final Set<Reason> TOLD_APART =
            Set.of(Reason.CAPTURE_CANCELLED, Reason.CAPTURE_EXPIRED);

    /** A place in the list, newest first. */
    public record Place(Instant createdAt, SnapshotId id) {
        public Place {
            Objects.requireNonNull(createdAt);
            Objects.requireNonNull(id);
        }
    }

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Snapshots snapshots;

    /**
     * A capture of the project; one whose snapshot is removed is known by its tombstone.
     *
     * @throws Problem {@code operation_not_found}
     */
    public Operation get(ProjectId project, UploadId upload) {
        return find(project, upload).orElseThrow(() -> notFound(upload));
    }

    /** The same; empty when nothing is known of it any more. */
    public Optional<Operation> find(ProjectId project, UploadId upload) {
        return snapshots
                .find(upload)
                .filter(snapshot -> snapshot.project().equals(project))
                .map(Snapshot::operation)
                .or(() -> remembered(project, upload));
    }

    /**
     * Captures whose row is there, newest first.
     *
     * @param after only those older than this place of the list
     */
    public List<Operation> list(
            ProjectId project, Optional<OperationState> state, Optional<Place> after, int limit) {
        StringBuilder text =
                new StringBuilder("select s from Snapshot s where s.projectId = :project");
        state.ifPresent(wanted -> text.append(condition(wanted)));
        after.ifPresent(
                x ->
                        text.append(
                                " and (s.createdAt < :at or"
                                        + " (s.createdAt = :at and s.id < :after))"));
        text.append(" order by s.createdAt desc, s.id desc");
        TypedQuery<Snapshot> query =
                em.createQuery(text.toString(), Snapshot.class)
                        .setParameter("project", project.value())
                        .setMaxResults(limit);
        state.filter(wanted -> wanted == OperationState.RUNNING || wanted == OperationState.DONE)
                .ifPresent(x -> query.setParameter("uploading", SnapshotState.UPLOADING));
        state.ifPresent(wanted -> reasons(wanted, query));
        after.ifPresent(
                x -> {
                    query.setParameter("at", x.createdAt());
                    query.setParameter("after", x.id().value());
                });
        return query.getResultStream().map(Snapshot::operation).toList();
    }

    /**
     * Ends a capture that is under way: its name and its room are free and its source goes on as
     * before, all at once. The worker notices and removes what it has stored.
     *
     * @throws Problem {@code operation_not_cancellable} when it is over, or is a pause
     */
    public Operation cancel(ProjectId project, UploadId upload) {
        // First: what was read before the lock may be older than what the lock was waited for.
        snapshots.lock(upload);
        Operation found = get(project, upload);
        if (found.kind() == Kind.PAUSE) {
            throw new Problem(
                            Reason.OPERATION_NOT_CANCELLABLE,
                            "A pause is not cancelled. Connect to the sandbox, and it goes on when"
                                    + " it is paused.")
                    .about(project, upload);
        }
        if (!snapshots.fail(upload, Failure.CANCELLED)) {
            throw new Problem(
                            Reason.OPERATION_NOT_CANCELLABLE,
                            "The capture is over already. If it was saved, delete its snapshot.")
                    .about(project, upload)
                    .with("state", get(project, upload).state().word());
        }
        snapshots
                .find(upload)
                .ifPresent(ended -> audit.done(Deeds.of(Action.SNAPSHOT_CANCEL, ended)));
        return get(project, upload);
    }

    /**
     * Notes how much has been read for storing.
     *
     * @return false when the capture was ended or its deadline is past: nobody wants it any more
     */
    public boolean progress(UploadId upload, long bytesDone) {
        return em.createQuery(
                                "update Snapshot s set s.bytesDone = :done"
                                        + " where s.uploadId = :upload and s.state = :uploading"
                                        + " and s.deadlineAt > :now")
                        .setParameter("done", bytesDone)
                        .setParameter("upload", upload.value())
                        .setParameter("uploading", SnapshotState.UPLOADING)
                        .setParameter("now", time.now())
                        .executeUpdate()
                == 1;
    }

    private String condition(OperationState state) {
        return switch (state) {
            case RUNNING -> " and s.state = :uploading";
            case DONE -> " and s.state <> :uploading and s.failureReason is null";
            case FAILED -> " and s.failureReason is not null and s.failureReason not in :reasons";
            case CANCELLED, EXPIRED -> " and s.failureReason in :reasons";
        };
    }

    private void reasons(OperationState state, TypedQuery<Snapshot> query) {
        switch (state) {
            case FAILED -> query.setParameter("reasons", TOLD_APART);
            case CANCELLED -> query.setParameter("reasons", Set.of(Reason.CAPTURE_CANCELLED));
            case EXPIRED -> query.setParameter("reasons", Set.of(Reason.CAPTURE_EXPIRED));
            default -> {
                // told by the state of the row alone
            }
        }
    }

    private Optional<Operation> remembered(ProjectId project, UploadId upload) {
        return em.createQuery(
                        "select t from Tombstone t where t.uploadId = :upload"
                                + " and t.projectId = :project",
                        Tombstone.class)
                .setParameter("upload", upload.value())
                .setParameter("project", project.value())
                .getResultStream()
                .findFirst()
                .map(Tombstone::operation);
    }

    private Problem notFound(UploadId upload) {
        return new Problem(Reason.OPERATION_NOT_FOUND, "There is no operation \"" + upload + "\".");
    }
}
