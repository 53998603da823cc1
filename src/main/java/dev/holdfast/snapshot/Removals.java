package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** How snapshots leave the catalogue: expiry, and what the clean-up of their objects reports. */
@Stateless
public class Removals {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Quotas quotas;
    @Inject Sandboxes sandboxes;

    /**
     * What is over and no sandbox lives from, the longest over first: the expired snapshots, and
     * the states of pauses whose sandbox has gone on or ended.
     */
    public List<SnapshotId> expired(int limit) {
        return em.createQuery(
                        "select s.id from Snapshot s where s.state = :saved"
                                + " and (s.expiresAt <= :now or s.kind = :pause)"
                                + " and not exists (select 1 from Sandbox b"
                                + " where (b.snapshotId = s.id or b.imageId = s.id)"
                                + " and b.state <> :ended)"
                                + " order by coalesce(s.expiresAt, s.savedAt)",
                        UUID.class)
                .setParameter("saved", SnapshotState.SAVED)
                .setParameter("pause", Kind.PAUSE)
                .setParameter("now", time.now())
                .setParameter("ended", SandboxState.ENDED)
                .setMaxResults(limit)
                .getResultStream()
                .map(SnapshotId::new)
                .toList();
    }

    /**
     * What a closed project has left; while its caller's transaction lasts it stays closed.
     *
     * @throws dev.holdfast.problem.Problem {@code project_not_closed}
     */
    public List<SnapshotId> leftOfClosed(ProjectId project, int limit) {
        projects.requireClosed(project);
        return em.createQuery(
                        "select s.id from Snapshot s where s.projectId = :project"
                                + " and s.state = :saved and not exists (select 1 from Sandbox b"
                                + " where (b.snapshotId = s.id or b.imageId = s.id)"
                                + " and b.state <> :ended) order by s.id",
                        UUID.class)
                .setParameter("project", project.value())
                .setParameter("saved", SnapshotState.SAVED)
                .setParameter("ended", SandboxState.ENDED)
                .setMaxResults(limit)
                .getResultStream()
                .map(SnapshotId::new)
                .toList();
    }

    /** Lets an expired snapshot go to its cleanup, unless it was occupied or extended meanwhile. */
    public void expire(SnapshotId id) {
        Instant now = time.now();
        locked(id)
                .filter(snapshot -> snapshot.isExpired(now) || isPause(snapshot))
                .ifPresent(snapshot -> removeIfFree(snapshot, RemovalReason.EXPIRED));
    }

    /** Lets a state go that was kept for a sandbox or a fork only, unless one still needs it. */
    public void drop(SnapshotId id) {
        locked(id)
                .filter(snapshot -> snapshot.state() == SnapshotState.SAVED)
                .ifPresent(snapshot -> removeIfFree(snapshot, RemovalReason.DELETED));
    }

    /** Lets the states of a sandbox's pauses go that it no longer needs. */
    public void dropPauses(SandboxId source) {
        em.createQuery(
                        "select s.id from Snapshot s where s.sourceSandboxId = :source"
                                + " and s.kind = :pause and s.state = :saved",
                        UUID.class)
                .setParameter("source", source.value())
                .setParameter("pause", Kind.PAUSE)
                .setParameter("saved", SnapshotState.SAVED)
                .getResultStream()
                .map(SnapshotId::new)
                .toList()
                .forEach(this::drop);
    }

    private static boolean isPause(Snapshot snapshot) {
        return snapshot.kind() == Kind.PAUSE && snapshot.state() == SnapshotState.SAVED;
    }

    private void removeIfFree(Snapshot snapshot, RemovalReason why) {
        if (sandboxes.occupantsOf(snapshot.id().value()).isEmpty()) {
            if (snapshot.kind() == Kind.SNAPSHOT) {
                audit.done(
                        Deeds.of(
                                why == RemovalReason.EXPIRED
                                        ? Action.SNAPSHOT_EXPIRE
                                        : Action.SNAPSHOT_DELETE,
                                snapshot));
            }
            snapshot.remove(why, time.now());
            events.publish(new Event(Event.capture(snapshot.upload()), snapshot.state().name()));
        }
    }

    /**
     * Whether stored objects belong to a snapshot that is known to have been removed. Objects of
     * which the catalogue knows nothing at all are not: the catalogue may be an older copy.
     */
    public boolean wasRemoved(SnapshotId id) {
        return em.find(Snapshot.class, id.value()) == null
                && em.find(Tombstone.class, id.value()) != null;
    }

    /** The snapshots whose objects are due to be removed, oldest first. */
    public List<SnapshotId> cleanupsDue(int limit) {
        return em.createQuery(
                        "select s.id from Snapshot s where s.state = :pending"
                                + " and s.cleanupAfter <= :now order by s.cleanupAfter",
                        UUID.class)
                .setParameter("pending", SnapshotState.CLEANUP_PENDING)
                .setParameter("now", time.now())
                .setMaxResults(limit)
                .getResultStream()
                .map(SnapshotId::new)
                .toList();
    }

    /** The objects are gone: the quota falls, a tombstone takes the row's place. */
    public void cleanedUp(SnapshotId id) {
        locked(id)
                .filter(snapshot -> snapshot.state() == SnapshotState.CLEANUP_PENDING)
                .ifPresent(
                        snapshot -> {
                            if (snapshot.removalReason().orElseThrow() != RemovalReason.FAILED) {
                                free(snapshot);
                            }
                            em.persist(snapshot.tombstone());
                            em.remove(snapshot);
                        });
    }

    private void free(Snapshot snapshot) {
        if (snapshot.kind() == Kind.PAUSE) {
            quotas.freePause(snapshot.project(), snapshot.storedBytes());
        } else {
            quotas.free(snapshot.project(), snapshot.storedBytes(), 1);
        }
    }

    /** Nothing is said any more of what was removed longer ago than this. */
    public void forget(Duration remembered) {
        em.createQuery("delete from Tombstone t where t.removedAt < :before")
                .setParameter("before", time.now().minus(remembered))
                .executeUpdate();
    }

    /** The objects could not be removed; it is tried again, each time later. */
    public void cleanUpLater(SnapshotId id, String error) {
        locked(id).ifPresent(snapshot -> snapshot.cleanUpLater(error, time.now()));
    }

    private Optional<Snapshot> locked(SnapshotId id) {
        return Optional.ofNullable(
                em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }
}
