package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.List;
import org.hibernate.exception.ConstraintViolationException;

/**
 * What was deleted or has expired and can be brought back, in projects that have a time for it. Its
 * name is free and it is charged until its objects are gone.
 */
@Stateless
public class Trash {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Snapshots snapshots;

    /**
     * An expired snapshot that the job has not come by gives up the name that one in the trash had;
     * before that one is locked.
     */
    public void freeNameOf(ProjectId project, SnapshotId id) {
        snapshots
                .find(id)
                .filter(each -> each.project().equals(project))
                .flatMap(Snapshot::everNamed)
                .ifPresent(name -> snapshots.freeExpiredName(project, name));
    }

    /**
     * Brings a snapshot back as it was: with its ID and, if nobody has it by now, its name. One
     * that would be over at once has a day left.
     *
     * @throws Problem {@code snapshot_not_trashed}; what became of one that is no more
     */
    public Snapshot bringBack(ProjectId project, SnapshotId id) {
        Snapshot snapshot = snapshots.lockAskedFor(project, id);
        Instant now = time.now();
        if (!snapshot.isInTrash(now, projects.get(project).trash())) {
            throw elsewhere(snapshot, now);
        }
        boolean free =
                snapshot.everNamed()
                        .filter(name -> snapshots.holder(project, name).isEmpty())
                        .isPresent();
        try {
            snapshot.bringBack(now, free);
            em.flush();
        } catch (ConstraintViolationException e) {
            throw new Problem(
                    Reason.CONCURRENT_CHANGE,
                    "Another snapshot takes the name of "
                            + id
                            + " at this moment. Bring it back again: it comes without a name.");
        }
        audit.done(
                Deeds.of(Action.SNAPSHOT_BRING_BACK, snapshot)
                        .with("expiresAt", snapshot.endsAt().orElse(null)));
        changes.tell(snapshot);
        events.publish(Notices.recovered(snapshot));
        return snapshot;
    }

    /**
     * Sends one to its clean-up before its time.
     *
     * @throws Problem {@code snapshot_not_trashed}; what became of one that is no more
     */
    public void purge(ProjectId project, SnapshotId id) {
        Snapshot snapshot = snapshots.lockAskedFor(project, id);
        Instant now = time.now();
        if (!snapshot.discard(now)) {
            throw elsewhere(snapshot, now);
        }
        audit.done(Deeds.of(Action.SNAPSHOT_PURGE, snapshot));
        events.publish(Notices.purged(snapshot));
    }

    /**
     * Sends some of what lies in the trash to its clean-up.
     *
     * @return how many; fewer than asked for: there are no more
     */
    public int empty(ProjectId project, int most) {
        Instant now = time.now();
        List<Snapshot> some =
                em.createQuery(
                                "select s from Snapshot s where s.projectId = :project"
                                        + " and s.state = :trashed order by s.id",
                                Snapshot.class)
                        .setParameter("project", project.value())
                        .setParameter("trashed", SnapshotState.TRASHED)
                        .setMaxResults(most)
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getResultList();
        List<Snapshot> gone = some.stream().filter(each -> each.discard(now)).toList();
        gone.forEach(each -> audit.done(Deeds.of(Action.SNAPSHOT_PURGE, each)));
        events.publish(gone.stream().map(Notices::purged).toList());
        return gone.size();
    }

    /** What is awaiting its clean-up is no more; anything else is not in the trash yet. */
    private Problem elsewhere(Snapshot snapshot, Instant now) {
        snapshot.requireNotGone(now);
        return new Problem(
                Reason.SNAPSHOT_NOT_TRASHED,
                "Snapshot "
                        + snapshot.id()
                        + " is not in the trash. List what is with status=trashed.");
    }
}
