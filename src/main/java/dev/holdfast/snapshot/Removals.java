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
import dev.holdfast.telemetry.Meters;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** How snapshots leave the catalogue: expiry, and what the clean-up of their objects reports. */
@Stateless
public class Removals {

    /** Counts what is accepted for removal, whoever or whatever asked for it. */
    static final String METER = "holdfast.snapshot.removals";

    private static final String CLEANUPS = "holdfast.expiry.cleanups";

    /** Two questions to two indexes; one question with "or" would ask neither. */
    private static final String OVER =
            "s.state = 'SAVED' and not exists (select 1 from sandbox b"
                    + " where b.snapshot_id = s.id and b.state <> 'ENDED')"
                    + " and not exists (select 1 from sandbox b"
                    + " where b.image_id = s.id and b.state <> 'ENDED')";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Quotas quotas;
    @Inject Sandboxes sandboxes;
    @Inject Meters meters;

    /**
     * What is over and no sandbox lives from, the longest over first: the expired snapshots, and
     * the states of pauses whose sandbox has gone on or ended.
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public List<Ending> expired(Ending.Query query) {
        return endings("coalesce(expires_at, saved_at)", OVER, query);
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

    /** Whether anything is over. */
    public boolean isExpiryDue() {
        return !expired(now(1)).isEmpty();
    }

    /**
     * Lets expired snapshots go to their clean-up. One that was occupied, extended or removed
     * meanwhile stays as it is.
     *
     * @return how many have gone
     */
    public int expire(Collection<SnapshotId> ids) {
        List<Snapshot> saved = locked(ids, SnapshotState.SAVED);
        Set<UUID> occupied = sandboxes.occupied(values(ids));
        Instant now = time.now();
        List<Snapshot> gone =
                saved.stream()
                        .filter(
                                snapshot ->
                                        snapshot.isExpired(now) || snapshot.kind() == Kind.PAUSE)
                        .filter(snapshot -> !occupied.contains(snapshot.id().value()))
                        .toList();
        events.publish(
                gone.stream()
                        .map(snapshot -> remove(snapshot, RemovalReason.EXPIRED, now))
                        .toList());
        return gone.size();
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

    private void removeIfFree(Snapshot snapshot, RemovalReason why) {
        if (sandboxes.occupantsOf(snapshot.id().value()).isEmpty()) {
            events.publish(remove(snapshot, why, time.now()));
        }
    }

    /** What to tell of it. */
    private Event remove(Snapshot snapshot, RemovalReason why, Instant now) {
        if (snapshot.kind() == Kind.SNAPSHOT) {
            audit.done(
                    Deeds.of(
                            why == RemovalReason.EXPIRED
                                    ? Action.SNAPSHOT_EXPIRE
                                    : Action.SNAPSHOT_DELETE,
                            snapshot));
        }
        snapshot.remove(why, now);
        meters.count(METER, "reason", why.name().toLowerCase(Locale.ROOT));
        return new Event(Event.capture(snapshot.upload()), snapshot.state().name());
    }

    /**
     * Whether stored objects belong to a snapshot that is known to have been removed. Objects of
     * which the catalogue knows nothing at all are not: the catalogue may be an older copy.
     */
    public boolean wasRemoved(SnapshotId id) {
        return em.find(Snapshot.class, id.value()) == null
                && em.find(Tombstone.class, id.value()) != null;
    }

    /** The snapshots whose objects are due to be removed, the longest due first. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public List<Ending> cleanupsDue(Ending.Query query, Instant removedUntil) {
        return endings(
                "cleanup_after",
                "s.state = 'CLEANUP_PENDING' and s.removed_at <= '%s'".formatted(removedUntil),
                query);
    }

    /** Whether any objects are due to be removed. */
    public boolean isCleanupDue() {
        Ending.Query query = now(1);
        return !cleanupsDue(query, query.until()).isEmpty();
    }

    /**
     * The objects are gone: the quota falls, tombstones take the rows' place. What somebody else
     * cleaned up meanwhile is left out.
     *
     * @return how many have gone
     */
    public int cleanedUp(Collection<SnapshotId> ids) {
        List<Snapshot> gone = locked(ids, SnapshotState.CLEANUP_PENDING);
        free(gone);
        for (Snapshot snapshot : gone) {
            em.persist(snapshot.tombstone());
            em.remove(snapshot);
            meters.count(CLEANUPS, "outcome", "cleaned");
        }
        return gone.size();
    }

    /** Project by project in one order, so that two who clean up never wait for each other. */
    private void free(List<Snapshot> gone) {
        Map<UUID, List<Snapshot>> charged =
                gone.stream()
                        .filter(
                                snapshot ->
                                        snapshot.removalReason().orElseThrow()
                                                != RemovalReason.FAILED)
                        .collect(
                                Collectors.groupingBy(
                                        snapshot -> snapshot.project().value(),
                                        TreeMap::new,
                                        Collectors.toList()));
        charged.forEach((project, those) -> free(new ProjectId(project), those));
    }

    private void free(ProjectId project, List<Snapshot> gone) {
        Map<Boolean, List<Snapshot>> byPause =
                gone.stream().collect(Collectors.partitioningBy(each -> each.kind() == Kind.PAUSE));
        List<Snapshot> counted = byPause.get(false);
        if (!counted.isEmpty()) {
            quotas.free(project, bytes(counted), counted.size());
        }
        if (!byPause.get(true).isEmpty()) {
            quotas.freePause(project, bytes(byPause.get(true)));
        }
    }

    private static long bytes(List<Snapshot> snapshots) {
        return snapshots.stream().mapToLong(Snapshot::storedBytes).sum();
    }

    /** How many would be forgotten. */
    public long forgettable(Duration remembered) {
        return em.createQuery(
                        "select count(t) from Tombstone t where t.removedAt < :before", Long.class)
                .setParameter("before", time.now().minus(remembered))
                .getSingleResult();
    }

    /** Nothing is said any more of what was removed longer ago than this. */
    public int forget(Duration remembered) {
        return em.createQuery("delete from Tombstone t where t.removedAt < :before")
                .setParameter("before", time.now().minus(remembered))
                .executeUpdate();
    }

    /** The objects could not be removed; it is tried again, each time later. */
    public void cleanUpLater(SnapshotId id, String error) {
        locked(id)
                .filter(snapshot -> snapshot.state() == SnapshotState.CLEANUP_PENDING)
                .ifPresent(
                        snapshot -> {
                            snapshot.cleanUpLater(error, time.now());
                            meters.count(CLEANUPS, "outcome", "put_off");
                        });
    }

    private Ending.Query now(int most) {
        return new Ending.Query(time.now(), Optional.empty(), Optional.empty(), most);
    }

    /** One page in the order of an index, so that any number of them takes no more memory. */
    private List<Ending> endings(String since, String which, Ending.Query query) {
        Query rows =
                em.createNativeQuery(
                        "select s.id, s.project_id, coalesce(s.stored_bytes, 0), %1$s from snapshot s"
                                        .formatted(since)
                                + " where "
                                + which
                                + " and %1$s <= :until".formatted(since)
                                + (query.project().isPresent() ? " and project_id = :project" : "")
                                + (query.after().isPresent()
                                        ? " and (%1$s, id) > (:since, :id)".formatted(since)
                                        : "")
                                + " order by %1$s, id".formatted(since));
        rows.setParameter("until", query.until());
        query.project().ifPresent(project -> rows.setParameter("project", project.value()));
        query.after()
                .ifPresent(
                        after ->
                                rows.setParameter("since", after.since())
                                        .setParameter("id", after.id()));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> found = rows.setMaxResults(query.most()).getResultList();
        return found.stream()
                .map(
                        row ->
                                new Ending(
                                        new SnapshotId((UUID) row[0]),
                                        new ProjectId((UUID) row[1]),
                                        ((Number) row[2]).longValue(),
                                        (Instant) row[3]))
                .toList();
    }

    /** Locked in one order, so that two who have some of them in common never wait in a circle. */
    private List<Snapshot> locked(Collection<SnapshotId> ids, SnapshotState state) {
        return em.createQuery(
                        "select s from Snapshot s where s.id in :ids and s.state = :state"
                                + " order by s.id",
                        Snapshot.class)
                .setParameter("ids", values(ids))
                .setParameter("state", state)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultList();
    }

    private static List<UUID> values(Collection<SnapshotId> ids) {
        return ids.stream().map(SnapshotId::value).toList();
    }

    private Optional<Snapshot> locked(SnapshotId id) {
        return Optional.ofNullable(
                em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }
}
