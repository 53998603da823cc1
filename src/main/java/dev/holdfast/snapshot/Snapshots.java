package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Meters;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.exception.ConstraintViolationException;

/** The catalogue of saved states. Each method is one transaction that locks the row it changes. */
@Stateless
public class Snapshots {

    private static final String NAME_INDEX = "snapshot_name";
    private static final String KEY_INDEX = "snapshot_idempotency";

    /**
     * How long a lease may be over before its captures fail. A worker that comes back together with
     * the database renews within this time.
     */
    private static final Duration UNREACHABLE = Duration.ofSeconds(15);

    /** To the second, so that a burst of restores writes it once. */
    private static final String RESTORED =
            "update snapshot set last_restored_at = clock_timestamp() where id = :id and"
                    + " (last_restored_at is null"
                    + " or last_restored_at < clock_timestamp() - interval '1 second')";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Quotas quotas;
    @Inject Removals removals;
    @Inject Sandboxes sandboxes;
    @Inject Meters meters;

    /**
     * Makes the row of a capture and reserves its name, in the transaction that took the source.
     *
     * @throws Problem {@code name_taken}; the holder is left as it is
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Snapshot accept(
            UploadId upload,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Sandbox source,
            String createdBy,
            Duration deadline) {
        // Not locked: a capture that is being sealed locks its row first and then the quota, which
        // this transaction holds. Under that lock no other capture of the project comes between.
        if (name.filter(wanted -> isHeld(source.project(), wanted)).isPresent()) {
            throw taken(name.orElseThrow());
        }
        Instant now = time.now();
        Snapshot snapshot =
                new Snapshot(
                        upload, kind, name, memory, source, createdBy, now, now.plus(deadline));
        try {
            em.persist(snapshot);
            em.flush();
        } catch (ConstraintViolationException e) {
            if (NAME_INDEX.equals(e.getConstraintName())) {
                throw taken(name.orElseThrow());
            }
            throw e;
        }
        audit.done(Deeds.accepted(snapshot));
        events.publish(Notices.accepted(snapshot));
        return snapshot;
    }

    /**
     * What an order made when it was given the first time, as long as that is neither failed nor
     * removed.
     *
     * @throws Problem {@code idempotency_key_reused} for another order's key
     */
    public Optional<UploadId> ordered(ProjectId project, Idempotency order) {
        Optional<Snapshot> known =
                em.createQuery(
                                "select s from Snapshot s where s.projectId = :project"
                                        + " and s.idempotency.key = :key",
                                Snapshot.class)
                        .setParameter("project", project.value())
                        .setParameter("key", order.key())
                        .getResultStream()
                        .findFirst();
        known.flatMap(Snapshot::idempotency).ifPresent(order::requireSame);
        return known.map(Snapshot::upload);
    }

    /**
     * Keeps the key of a capture that is just being accepted.
     *
     * @throws Problem {@code idempotency_key_reused} when another order took it at this moment
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void remember(Snapshot snapshot, Idempotency order) {
        try {
            snapshot.remember(order);
            em.flush();
        } catch (ConstraintViolationException e) {
            throw KEY_INDEX.equals(e.getConstraintName()) ? order.reused() : e;
        }
    }

    /**
     * Lets an expired snapshot give up the name it still holds, in a transaction of its own, so
     * that a capture may take it although the job has not come by. The objects of an occupied one
     * stay.
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void freeExpiredName(ProjectId project, SnapshotName name) {
        Instant now = time.now();
        expiredHolder(project, name, now)
                .ifPresent(
                        snapshot -> {
                            if (sandboxes.occupantsOf(snapshot.id().value()).isEmpty()) {
                                removals.remove(snapshot, RemovalReason.EXPIRED, now);
                            } else {
                                snapshot.giveUpName();
                                changes.tell(snapshot);
                            }
                        });
    }

    public Optional<Snapshot> find(UploadId upload) {
        return em.createQuery("select s from Snapshot s where s.uploadId = :upload", Snapshot.class)
                .setParameter("upload", upload.value())
                .getResultStream()
                .findFirst();
    }

    public Optional<Snapshot> find(SnapshotId id) {
        return Optional.ofNullable(em.find(Snapshot.class, id.value()));
    }

    public Optional<Tombstone> tombstone(ProjectId project, SnapshotId id) {
        return em.createQuery(
                        "select t from Tombstone t where t.snapshotId = :id"
                                + " and t.projectId = :project",
                        Tombstone.class)
                .setParameter("id", id.value())
                .setParameter("project", project.value())
                .getResultStream()
                .findFirst();
    }

    /** The snapshot that holds a name now, locked until the end of the caller's transaction. */
    public Optional<Snapshot> holder(ProjectId project, SnapshotName name) {
        return holders(project, name)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultStream()
                .findFirst();
    }

    /** Locks no other holder: one that is being saved would be waited for. */
    private Optional<Snapshot> expiredHolder(ProjectId project, SnapshotName name, Instant now) {
        return em.createQuery(
                        "select s from Snapshot s where s.projectId = :project and s.nameHeld"
                                + " and s.shortName = :short and s.tag = :tag"
                                + " and s.state = :saved and s.expiresAt <= :now",
                        Snapshot.class)
                .setParameter("project", project.value())
                .setParameter("short", name.shortName())
                .setParameter("tag", name.tag())
                .setParameter("saved", SnapshotState.SAVED)
                .setParameter("now", now)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultStream()
                .filter(snapshot -> snapshot.isExpired(now))
                .findFirst();
    }

    private TypedQuery<Snapshot> holders(ProjectId project, SnapshotName name) {
        return em.createQuery(
                        "select s from Snapshot s where s.projectId = :project and s.nameHeld"
                                + " and s.shortName = :short and s.tag = :tag",
                        Snapshot.class)
                .setParameter("project", project.value())
                .setParameter("short", name.shortName())
                .setParameter("tag", name.tag());
    }

    /**
     * Looks without waiting. A capture that is accepted holds the quota already, and the seal of
     * the holder waits for that with its row locked: to wait for the row would be a deadlock.
     */
    private boolean isHeld(ProjectId project, SnapshotName name) {
        return em.createQuery(
                                "select count(s) from Snapshot s where s.projectId = :project"
                                        + " and s.nameHeld and s.shortName = :short and s.tag = :tag",
                                Long.class)
                        .setParameter("project", project.value())
                        .setParameter("short", name.shortName())
                        .setParameter("tag", name.tag())
                        .getSingleResult()
                > 0;
    }

    /** A snapshot by ID, locked until the end of the caller's transaction. */
    public Optional<Snapshot> lock(ProjectId project, SnapshotId id) {
        return locked(id).filter(snapshot -> snapshot.project().equals(project));
    }

    /**
     * The same of one that somebody asked for: what is kept for a sandbox is nobody's to change.
     *
     * @throws Problem {@code snapshot_not_found}
     */
    public Snapshot lockAskedFor(ProjectId project, SnapshotId id) {
        return lock(project, id)
                .filter(Snapshot::isAskedFor)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.SNAPSHOT_NOT_FOUND,
                                        "There is no snapshot " + id + "."));
    }

    /** A capture by its upload, locked until the end of the caller's transaction. */
    public Optional<Snapshot> lock(UploadId upload) {
        return lockedByUpload(upload);
    }

    /** The worker takes a capture; false when it was taken or is over, so nothing freezes twice. */
    public boolean claim(UploadId upload) {
        return lockedByUpload(upload).filter(Snapshot::claim).isPresent();
    }

    /**
     * The state is written, so its size is known; a phase of the same state, so nobody is told.
     *
     * @return false when the capture was ended meanwhile
     */
    public boolean written(UploadId upload, Duration freeze, long bytes) {
        return lockedByUpload(upload).filter(s -> s.written(freeze, bytes)).isPresent();
    }

    /**
     * The commit point of a capture: the row says saved, the quota is settled with the true size
     * and the source is free, or paused if that was asked for, all at once.
     *
     * @return false when the capture or its pausing source was ended meanwhile, or its deadline is
     *     past
     */
    public boolean seal(UploadId upload, Sealed sealed) {
        if (lockedByUpload(upload).filter(s -> s.isPastDeadline(time.now())).isPresent()) {
            fail(upload, Failure.PAST_DEADLINE);
            return false;
        }
        Optional<Snapshot> done = lockedByUpload(upload).filter(snapshot -> snapshot.seal(sealed));
        done.ifPresent(this::settle);
        return done.filter(snapshot -> snapshot.state() == SnapshotState.SAVED).isPresent();
    }

    private void settle(Snapshot snapshot) {
        count(snapshot, "saved", "none");
        UUID upload = snapshot.upload().value();
        if (snapshot.kind() == Kind.PAUSE) {
            quotas.keepPause(snapshot.project(), snapshot.storedBytes());
            if (!sandboxes.paused(snapshot.source(), upload, snapshot.id().value())) {
                removals.remove(snapshot, RemovalReason.DELETED, time.now());
                return;
            }
        } else {
            quotas.settle(snapshot.project(), upload, snapshot.storedBytes());
            sandboxes.captured(snapshot.source(), upload, snapshot.id().value());
            audit.done(
                    Deeds.of(Action.SNAPSHOT_SAVE, snapshot)
                            .by(snapshot.createdBy())
                            .with("bytes", snapshot.storedBytes()));
        }
        if (snapshot.isAheadOfTheStore()) {
            // What it was given before is not in its manifest.
            changes.tell(snapshot);
        }
        events.publish(Notices.captured(snapshot));
    }

    private static String outcome(Failure why) {
        return why.reason() == Reason.CAPTURE_CANCELLED ? "cancelled" : "failed";
    }

    private void count(Snapshot snapshot, String outcome, String reason) {
        meters.count(
                "holdfast.capture.outcomes",
                "kind",
                snapshot.kind().name().toLowerCase(Locale.ROOT),
                "outcome",
                outcome,
                "reason",
                reason);
    }

    /** Ends a capture that came to nothing; false when it was over before. */
    public boolean fail(UploadId upload, String why) {
        return fail(upload, Failure.of(why));
    }

    /** Ends a capture that came to nothing; false when it was over before. */
    public boolean fail(UploadId upload, Failure why) {
        Optional<Snapshot> failed =
                lockedByUpload(upload).filter(snapshot -> snapshot.fail(why, time.now()));
        failed.ifPresent(
                snapshot -> {
                    count(snapshot, outcome(why), why.reason().word());
                    quotas.release(upload.value());
                    sandboxes.endCapture(snapshot.source(), upload.value());
                    audit.failed(Deeds.failed(snapshot), why.reason().word());
                    events.publish(Notices.failed(snapshot, why));
                });
        return failed.isPresent();
    }

    /**
     * Accepts a removal, if the snapshot is there to be removed. Asked again for one whose objects
     * could not be removed, it has that tried again now.
     *
     * @return false when there is no such snapshot any more
     * @throws Problem {@code snapshot_occupied} with the occupants, {@code snapshot_not_saved}
     *     while it is being made, {@code snapshot_pinned}, {@code snapshot_held}
     */
    public boolean delete(Snapshot candidate) {
        Snapshot snapshot = locked(candidate.id()).orElse(null);
        Instant now = time.now();
        if (snapshot == null
                || snapshot.state() == SnapshotState.CLEANUP_PENDING
                || snapshot.state() == SnapshotState.TRASHED
                || snapshot.isExpired(now)) {
            Optional.ofNullable(snapshot).ifPresent(pending -> pending.cleanUpNow(now));
            return false;
        }
        if (snapshot.state() == SnapshotState.UPLOADING) {
            throw new Problem(
                            Reason.SNAPSHOT_NOT_SAVED,
                            "Snapshot " + snapshot.id() + " is still being captured.")
                    .about(snapshot.project(), snapshot.upload());
        }
        snapshot.requireUnguarded(now);
        List<SandboxId> occupants = sandboxes.occupantsOf(snapshot.id().value());
        if (!occupants.isEmpty()) {
            throw new Problem(
                            Reason.SNAPSHOT_OCCUPIED,
                            "Snapshot "
                                    + snapshot.id()
                                    + " is in use by "
                                    + occupants.size()
                                    + " sandbox(es) started from it. Kill them first.")
                    .with("occupants", occupants.stream().map(SandboxId::value).toList());
        }
        removals.remove(snapshot, RemovalReason.DELETED, now);
        return true;
    }

    /** The captures a worker has taken and not finished. */
    public List<UploadId> unfinished(String worker) {
        return em.createQuery(
                        "select s.uploadId from Snapshot s where s.workerId = :worker"
                                + " and s.state = :uploading and s.phase <> :accepted",
                        UUID.class)
                .setParameter("worker", worker)
                .setParameter("uploading", SnapshotState.UPLOADING)
                .setParameter("accepted", Phase.ACCEPTED)
                .getResultStream()
                .map(UploadId::new)
                .toList();
    }

    /** The captures past their deadline. */
    public List<UploadId> stalled() {
        return em.createQuery(
                        "select s.uploadId from Snapshot s where s.state = :uploading"
                                + " and s.deadlineAt <= :now",
                        UUID.class)
                .setParameter("uploading", SnapshotState.UPLOADING)
                .setParameter("now", time.now())
                .getResultStream()
                .map(UploadId::new)
                .toList();
    }

    /** The captures of workers that have not renewed their lease for twice its length. */
    public List<UploadId> abandoned() {
        return em.createQuery(
                        "select s.uploadId from Snapshot s, Worker w where w.id = s.workerId"
                                + " and s.state = :uploading and w.leaseUntil <= :gone",
                        UUID.class)
                .setParameter("uploading", SnapshotState.UPLOADING)
                .setParameter("gone", time.now().minus(UNREACHABLE))
                .getResultStream()
                .map(UploadId::new)
                .toList();
    }

    /** A restore found its parts missing or changed: the verdict turns. */
    public void lostParts(SnapshotId id, PartsState what) {
        locked(id)
                .ifPresent(
                        snapshot -> {
                            snapshot.lostParts(what);
                            events.publish(Notices.parts(snapshot, what));
                        });
    }

    /** A restore failed in spite of the verdict, for another reason than its parts. */
    public void restoreFailed(SnapshotId id, String why) {
        locked(id)
                .ifPresent(
                        snapshot -> {
                            snapshot.doubt(why, time.now());
                            events.publish(Notices.restoreFailed(snapshot, why));
                        });
    }

    /** It was restored: what was said of it is over. */
    public void restored(SnapshotId id) {
        em.createNativeQuery(RESTORED).setParameter("id", id.value()).executeUpdate();
        // Asked without the lock: many restores of one snapshot at once must not wait for each
        // other.
        long doubted =
                em.createQuery(
                                "select count(s) from Snapshot s where s.id = :id"
                                        + " and (s.restoreFailure is not null"
                                        + " or s.partsState in :lost)",
                                Long.class)
                        .setParameter("id", id.value())
                        .setParameter("lost", List.of(PartsState.MISSING, PartsState.CORRUPT))
                        .getSingleResult();
        if (doubted > 0) {
            locked(id)
                    .ifPresent(
                            snapshot -> {
                                snapshot.trust();
                                events.publish(Notices.restorable(snapshot));
                            });
        }
    }

    /** A snapshot whatever its project, locked until the end of the caller's transaction. */
    public Optional<Snapshot> lock(SnapshotId id) {
        return locked(id);
    }

    /** What became of the last snapshot that had a name and has left. */
    public Optional<Gone> lastNamed(ProjectId project, SnapshotName name) {
        return Stream.concat(
                        last(Snapshot.class, project, name).map(Snapshot::gone),
                        last(Tombstone.class, project, name).map(Tombstone::gone))
                .max(Comparator.comparing(Gone::at));
    }

    private <T> Stream<T> last(Class<T> left, ProjectId project, SnapshotName name) {
        return em.createQuery(
                        "select g from %s g where g.projectId = :project and g.shortName = :short"
                                        .formatted(left.getSimpleName())
                                + " and g.tag = :tag and g.removedAt is not null"
                                + " order by g.removedAt desc",
                        left)
                .setParameter("project", project.value())
                .setParameter("short", name.shortName())
                .setParameter("tag", name.tag())
                .setMaxResults(1)
                .getResultStream();
    }

    private static Problem taken(SnapshotName name) {
        return new Problem(
                Reason.NAME_TAKEN,
                "The name "
                        + name
                        + " belongs to another snapshot of this project, which is left as it is."
                        + " Choose another name or tag, or delete that snapshot first.");
    }

    private Optional<Snapshot> locked(SnapshotId id) {
        return Optional.ofNullable(
                em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }

    private Optional<Snapshot> lockedByUpload(UploadId upload) {
        return em.createQuery("select s from Snapshot s where s.uploadId = :upload", Snapshot.class)
                .setParameter("upload", upload.value())
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultStream()
                .findFirst();
    }
}
