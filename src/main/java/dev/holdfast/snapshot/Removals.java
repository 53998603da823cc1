package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
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
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How snapshots leave the catalogue: the one way in which any is removed, whoever asked for it, and
 * what the clean-up of its objects reports.
 */
@Stateless
public class Removals {

    /** Counts what is accepted for removal, whoever or whatever asked for it. */
    private static final String METER = "holdfast.snapshot.removals";

    private static final String CLEANUPS = "holdfast.expiry.cleanups";

    /** Two questions to two indexes; one question with "or" would ask neither. */
    private static final String OVER =
            "s.state = 'SAVED' and not exists (select 1 from sandbox b"
                    + " where b.snapshot_id = s.id and b.state <> 'ENDED')"
                    + " and not exists (select 1 from sandbox b"
                    + " where b.image_id = s.id and b.state <> 'ENDED')";

    /** What {@link Snapshot#remove} does, to many at once: to read and write them takes longer. */
    private static final String REMOVE =
            "update snapshot set state = :state, phase = 'DONE', name_held = false,"
                    + " idempotency_key = null, idempotency_digest = null, removal_reason = :why,"
                    + " removed_at = :now, cleanup_after = :after, version = version + 1,"
                    // Only what is kept has an amendment that is to follow.
                    + " change_number = change_number"
                    + " + case when cast(:state as text) = 'TRASHED' then 1 else 0 end"
                    + " where id in (:ids)";

    /** In one order, so that two who have some of them in common never wait in a circle. */
    private static final String LOCK_SAVED =
            "select id, upload_id, project_id, kind, case when name_held then short_name end as held_name, tag,"
                    + " expires_at from snapshot where id in (:ids) and state = 'SAVED'"
                    // Neither pinned nor held: no way of removal may pass these by.
                    + " and (pinned_at is null or pinned_until <= clock_timestamp())"
                    + " and (held_until is null or held_until <= clock_timestamp())"
                    + " order by id for update";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
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
     * What a closed project has left and nobody has pinned or holds; while its caller's transaction
     * lasts it stays closed.
     *
     * @throws dev.holdfast.problem.Problem {@code project_not_closed}
     */
    public List<SnapshotId> leftOfClosed(ProjectId project, int limit) {
        projects.requireClosed(project);
        return em.createQuery(
                        "select s.id from Snapshot s where s.projectId = :project"
                                + " and s.state = :saved"
                                + " and (s.pin.at is null or s.pin.until <= :now)"
                                + " and (s.hold.until is null or s.hold.until <= :now)"
                                + " and not exists (select 1 from Sandbox b"
                                + " where (b.snapshotId = s.id or b.imageId = s.id)"
                                + " and b.state <> :ended) order by s.id",
                        UUID.class)
                .setParameter("project", project.value())
                .setParameter("saved", SnapshotState.SAVED)
                .setParameter("ended", SandboxState.ENDED)
                .setParameter("now", time.now())
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
        Instant now = time.now();
        return remove(
                ids,
                RemovalReason.EXPIRED,
                now,
                each -> each.isOver(now),
                each -> each.until(trashedUntil(each.project(), each.kind(), now)));
    }

    /**
     * Lets snapshots go that their policy does not keep. One that was occupied, pinned, held or
     * removed meanwhile stays as it is.
     *
     * @return how many have gone
     */
    public int retire(Collection<Ending> chosen) {
        Map<SnapshotId, String> why =
                chosen.stream()
                        .collect(Collectors.toMap(Ending::id, each -> each.why().orElse("")));
        Instant now = time.now();
        return remove(
                why.keySet(),
                RemovalReason.EXPIRED,
                now,
                each -> !each.isOver(now),
                each ->
                        each.until(trashedUntil(each.project(), each.kind(), now))
                                .ruled(why.get(each.id())));
    }

    /** Lets snapshots go for good, unless a sandbox still needs them or somebody keeps them. */
    public void drop(Collection<SnapshotId> ids) {
        remove(ids, RemovalReason.DELETED, time.now(), each -> true, each -> each);
    }

    /** Until when what is removed now can be brought back; empty: not at all. */
    private Optional<Instant> trashedUntil(ProjectId project, Kind kind, Instant now) {
        return Optional.of(kind)
                .filter(Kind::isListed)
                .map(each -> projects.get(project).trash())
                .filter(trash -> !trash.isZero())
                .map(now::plus);
    }

    /** What has been in the trash for its time, the longest over first. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public List<Ending> trashDue(Ending.Query query) {
        return endings("cleanup_after", "s.state = 'TRASHED'", query);
    }

    /** Whether anything has been in the trash for its time. */
    public boolean isTrashDue() {
        return !trashDue(now(1)).isEmpty();
    }

    /**
     * Sends to its clean-up what nobody has brought back.
     *
     * @return how many have gone
     */
    public int discard(Collection<SnapshotId> ids) {
        Instant now = time.now();
        List<Snapshot> gone =
                locked(ids, SnapshotState.TRASHED).stream()
                        .filter(each -> each.trashedUntil().filter(now::isBefore).isEmpty())
                        .filter(each -> each.discard(now))
                        .toList();
        events.publish(gone.stream().map(Notices::purged).toList());
        return gone.size();
    }

    /** Lets the states of a sandbox's pauses go that it no longer needs. */
    public void dropPauses(SandboxId source) {
        drop(
                em.createQuery(
                                "select s.id from Snapshot s where s.sourceSandboxId = :source"
                                        + " and s.kind = :pause and s.state = :saved",
                                UUID.class)
                        .setParameter("source", source.value())
                        .setParameter("pause", Kind.PAUSE)
                        .setParameter("saved", SnapshotState.SAVED)
                        .getResultStream()
                        .map(SnapshotId::new)
                        .toList());
    }

    /** One that the caller has locked and judged. */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void remove(Snapshot snapshot, RemovalReason why, Instant now) {
        Leaving leaving = Leaving.of(snapshot);
        snapshot.leave(
                why, now, trashedUntil(snapshot.project(), snapshot.kind(), now).orElse(null));
        tell(List.of(leaving.until(snapshot.trashedUntil())), why);
        if (snapshot.isKept()) {
            changes.tell(snapshot);
        }
    }

    /**
     * Those of them that are saved, wanted and free. Who occupies them is asked when they are
     * locked: a restore that came first has its sandbox by then.
     */
    private int remove(
            Collection<SnapshotId> ids,
            RemovalReason why,
            Instant now,
            Predicate<Leaving> wanted,
            UnaryOperator<Leaving> how) {
        if (ids.isEmpty()) {
            return 0;
        }
        List<Leaving> saved = lockedSaved(ids);
        Set<UUID> occupied = sandboxes.occupied(values(ids));
        Map<Way, List<Leaving>> gone =
                saved.stream()
                        .filter(wanted)
                        .filter(each -> !occupied.contains(each.id().value()))
                        .map(how)
                        .collect(Collectors.groupingBy(each -> Way.of(each, now)));
        gone.forEach((way, those) -> mark(those, why, now, way));
        List<Leaving> all = gone.values().stream().flatMap(List::stream).toList();
        tell(all, why);
        return all.size();
    }

    /**
     * What is written of those that leave together.
     *
     * @param after when the objects may go
     */
    private record Way(SnapshotState state, Instant after) {
        private static Way of(Leaving leaving, Instant now) {
            return new Way(
                    leaving.state(),
                    leaving.trashedUntil()
                            .orElseGet(() -> Snapshot.cleanupAfter(leaving.kind(), now)));
        }
    }

    private void mark(List<Leaving> gone, RemovalReason why, Instant now, Way way) {
        em.createNativeQuery(REMOVE)
                .setParameter("state", way.state().name())
                .setParameter("why", why.name())
                .setParameter("now", now)
                .setParameter("after", way.after())
                .setParameter("ids", gone.stream().map(each -> each.id().value()).toList())
                .executeUpdate();
    }

    /** What goes with every removal, in its transaction. */
    private void tell(List<Leaving> gone, RemovalReason why) {
        if (gone.isEmpty()) {
            return;
        }
        gone.stream().flatMap(each -> each.deed(why).stream()).forEach(audit::done);
        meters.count(METER, gone.size(), "reason", why.name().toLowerCase(Locale.ROOT));
        events.publish(gone.stream().map(each -> each.event(why)).toList());
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
     * Of some the objects are gone: the quota falls, tombstones take the rows' place. Of others
     * they could not be removed; that is tried again, each time later. What somebody else cleaned
     * up meanwhile is left out.
     *
     * @param failed with the error
     * @return how many have gone
     */
    public int cleanedUp(Collection<SnapshotId> gone, Map<SnapshotId, String> failed) {
        List<SnapshotId> all = Stream.concat(gone.stream(), failed.keySet().stream()).toList();
        Map<Boolean, List<Snapshot>> byFailure =
                locked(all, SnapshotState.CLEANUP_PENDING).stream()
                        .collect(Collectors.partitioningBy(each -> failed.containsKey(each.id())));
        Instant now = time.now();
        byFailure.get(true).forEach(each -> each.cleanUpLater(failed.get(each.id()), now));
        List<Snapshot> cleaned = byFailure.get(false);
        free(cleaned);
        for (Snapshot snapshot : cleaned) {
            em.persist(snapshot.tombstone());
            em.remove(snapshot);
        }
        count("put_off", byFailure.get(true).size());
        count("cleaned", cleaned.size());
        events.publish(cleaned.stream().map(Notices::gone).toList());
        return cleaned.size();
    }

    private void count(String outcome, int amount) {
        if (amount > 0) {
            meters.count(CLEANUPS, amount, "outcome", outcome);
        }
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
                        "select count(t) from Tombstone t where t.buriedAt < :before", Long.class)
                .setParameter("before", time.now().minus(remembered))
                .getSingleResult();
    }

    /** Nothing is said any more of what was cleaned up longer ago than this. */
    public int forget(Duration remembered) {
        return em.createQuery("delete from Tombstone t where t.buriedAt < :before")
                .setParameter("before", time.now().minus(remembered))
                .executeUpdate();
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

    private List<Leaving> lockedSaved(Collection<SnapshotId> ids) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows =
                em.createNativeQuery(LOCK_SAVED).setParameter("ids", values(ids)).getResultList();
        return rows.stream().map(Removals::leaving).toList();
    }

    private static Leaving leaving(Object[] row) {
        return new Leaving(
                new SnapshotId((UUID) row[0]),
                new UploadId((UUID) row[1]),
                new ProjectId((UUID) row[2]),
                Kind.valueOf((String) row[3]),
                Optional.ofNullable((String) row[4])
                        .map(name -> new SnapshotName(name, (String) row[5])),
                Optional.ofNullable((Instant) row[6]),
                Optional.empty(),
                Optional.empty());
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
}
