package dev.holdfast.contents;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.peek.LookRequest;
import dev.holdfast.peek.LookRequests;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Places;
import dev.holdfast.restore.References;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The comparisons of a project. Each method is a short transaction. */
@Stateless
public class Comparisons {

    /** Of a project on a worker, which compares one pair after the other: others wait too. */
    private static final int MOST_UNDER_WAY = 2;

    /** For so many others one may wait at most. */
    private static final int MOST_BEFORE = 9;

    /** So long without a lease a worker is lost, and what it had begun. */
    private static final Duration UNREACHABLE = Workers.LEASE;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject ChangeRows rows;
    @Inject ContentsConfig config;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject LookRequests requests;
    @Inject Places places;
    @Inject References references;

    /**
     * Has two snapshots compared, or finds that they are or were.
     *
     * @param base as it was
     * @param other as it is
     * @throws Problem as a restore of either is refused; {@code worker_busy}
     */
    public Comparison order(Actor actor, Optional<String> slug, String base, String other) {
        actor.require(Permission.SNAPSHOTS_READ);
        actor.require(Permission.SANDBOXES_USE);
        Snapshot now = usable(actor, slug, other);
        Snapshot before = usable(actor, slug, base);
        if (now.id().equals(before.id())) {
            throw Problem.invalid("since", "\"since\" names another snapshot than the path.");
        }
        return of(before.id(), now.id())
                .orElseGet(() -> ordered(actor, slug, before.id(), now.id()));
    }

    /**
     * @throws Problem {@code comparison_not_found}, also once either of its snapshots is gone
     */
    public Comparison get(Actor actor, SnapshotId other, UUID id) {
        return shown(actor, other, find(id)).orElseThrow(() -> unknown(id));
    }

    public Optional<Comparison> find(UUID id) {
        return Optional.ofNullable(em.find(Comparison.class, id));
    }

    /** Ends one that is under way; one that has ended is forgotten. */
    public void cancel(Actor actor, SnapshotId other, UUID id) {
        // Locked before it is looked at: it may be done in this moment.
        Comparison found = shown(actor, other, locked(id)).orElseThrow(() -> unknown(id));
        if (found.cancel(time.now())) {
            audit.done(
                    Deed.of(Action.SNAPSHOT_COMPARE, Subject.snapshot(other))
                            .in(actor.project().value())
                            .with("comparison", id)
                            .with("ended", true));
            tell(found);
        } else {
            em.remove(found);
        }
    }

    /** Takes one that nobody has taken yet. */
    public Optional<Comparison> claim(UUID id, String worker) {
        return locked(id).filter(each -> each.claim(worker));
    }

    /** Whether it is still wanted. */
    public boolean progress(UUID id, long entries) {
        return locked(id).filter(each -> each.count(entries)).isPresent();
    }

    public void finish(UUID id, List<Change> changes, Summary summary, long entries) {
        locked(id)
                .filter(each -> each.finish(rows.text(summary), entries, time.now()))
                .ifPresent(
                        done -> {
                            em.flush();
                            rows.write(id, changes);
                            tell(done);
                        });
    }

    public void fail(UUID id, String why) {
        locked(id).filter(each -> each.fail(why, time.now())).ifPresent(this::tell);
    }

    /** Those that a worker's last run had begun. */
    public void broken(String worker) {
        em.createQuery(
                        "select c.id from Comparison c where c.workerId = :worker"
                                + " and c.state = :running",
                        UUID.class)
                .setParameter("worker", worker)
                .setParameter("running", Comparison.State.RUNNING)
                .getResultList()
                .forEach(
                        id ->
                                fail(
                                        id,
                                        "the worker was stopped in the middle of it; ask for it"
                                                + " again"));
    }

    /** Forgets what is over, and ends what no worker came to. */
    public void tidy() {
        em.createQuery("delete from Comparison c where c.expiresAt <= :now")
                .setParameter("now", time.now())
                .executeUpdate();
        em.createQuery(
                        "select c.id from Comparison c where c.state in :open"
                                + " and c.createdAt < :before",
                        UUID.class)
                .setParameter("open", Comparison.UNDER_WAY)
                .setParameter(
                        "before",
                        time.now().minus(config.deadline().multipliedBy(MOST_BEFORE + 1L)))
                .getResultList()
                .forEach(id -> fail(id, "no worker came to it in time; ask for it again"));
        lost().forEach(id -> fail(id, "its worker was lost; ask for it again"));
    }

    private List<UUID> lost() {
        return em.createQuery(
                        "select c.id from Comparison c where c.state in :open"
                                + " and not exists (select w.id from Worker w"
                                + " where w.id = c.workerId and w.leaseUntil > :gone)",
                        UUID.class)
                .setParameter("open", Comparison.UNDER_WAY)
                .setParameter("gone", time.now().minus(UNREACHABLE))
                .getResultList();
    }

    private Comparison ordered(
            Actor actor, Optional<String> slug, SnapshotId base, SnapshotId other) {
        // Under the lock of the later row, so that two who come at once share one.
        Snapshot now = references.locked(actor.project(), slug, other.toString());
        Optional<Comparison> meanwhile = of(base, other);
        if (meanwhile.isPresent()) {
            return meanwhile.get();
        }
        Snapshot before = references.snapshot(actor.project(), slug, base.toString());
        Worker worker = places.on(now, any -> true);
        requireTurn(actor.project(), worker.id());
        // Both are told at once, so one worker has to be able to show either.
        places.on(before, worker.id()::equals);
        forgetExpired(base, other);
        Comparison ordered =
                new Comparison(
                        actor.project(),
                        base,
                        other,
                        worker.id(),
                        actor.principal().text(),
                        time.now(),
                        config.kept());
        em.persist(ordered);
        em.flush();
        audit.done(
                Deed.of(Action.SNAPSHOT_COMPARE, Subject.snapshot(other))
                        .in(actor.project().value())
                        .by(actor.principal().text())
                        .with("since", base)
                        .with("comparison", ordered.id()));
        requests.send(new LookRequest(LookRequest.Operation.COMPARE, ordered.id(), worker.id()));
        return ordered;
    }

    /** A pair has one row, and the one that is over may not be tidied away yet. */
    private void forgetExpired(SnapshotId base, SnapshotId other) {
        em.createQuery(
                        "delete from Comparison c where c.baseId = :base and c.otherId = :other"
                                + " and c.expiresAt <= :now")
                .setParameter("base", base.value())
                .setParameter("other", other.value())
                .setParameter("now", time.now())
                .executeUpdate();
    }

    private void requireTurn(ProjectId project, String worker) {
        long open =
                em.createQuery(
                                "select count(c) from Comparison c where c.projectId = :project"
                                        + " and c.workerId = :worker and c.state in :open",
                                Long.class)
                        .setParameter("project", project.value())
                        .setParameter("worker", worker)
                        .setParameter("open", Comparison.UNDER_WAY)
                        .getSingleResult();
        if (open >= MOST_UNDER_WAY) {
            throw new Problem(
                            Reason.WORKER_BUSY,
                            "%d comparisons of this project wait for their turn already. Ask again later, or end one."
                                    .formatted(open))
                    .retryAfter(ASK_AGAIN);
        }
    }

    private Snapshot usable(Actor actor, Optional<String> slug, String reference) {
        Snapshot found = references.snapshot(actor.project(), slug, reference);
        found.requireUsable(time.now());
        return found;
    }

    private Optional<Comparison> shown(Actor actor, SnapshotId other, Optional<Comparison> row) {
        actor.require(Permission.SNAPSHOTS_READ);
        actor.require(Permission.SANDBOXES_USE);
        Optional<Comparison> found =
                row.filter(each -> each.project().equals(actor.project()))
                        .filter(each -> each.other().equals(other));
        // What was in a snapshot that is gone is told nobody any more.
        found.ifPresent(
                each -> {
                    usable(actor, Optional.empty(), each.base().toString());
                    usable(actor, Optional.empty(), each.other().toString());
                });
        return found;
    }

    private Optional<Comparison> of(SnapshotId base, SnapshotId other) {
        return em.createQuery(
                        "select c from Comparison c where c.baseId = :base and c.otherId = :other"
                                + " and c.state in :good and c.expiresAt > :now",
                        Comparison.class)
                .setParameter("base", base.value())
                .setParameter("other", other.value())
                .setParameter(
                        "good",
                        List.of(
                                Comparison.State.ACCEPTED,
                                Comparison.State.RUNNING,
                                Comparison.State.DONE))
                .setParameter("now", time.now())
                .getResultStream()
                .findFirst();
    }

    private Optional<Comparison> locked(UUID id) {
        return Optional.ofNullable(em.find(Comparison.class, id, LockModeType.PESSIMISTIC_WRITE));
    }

    private static Problem unknown(UUID id) {
        return new Problem(
                Reason.COMPARISON_NOT_FOUND,
                "There is no comparison " + id + " of this snapshot. Ask for one.");
    }

    /** A hint for who waits; nothing of it is kept. */
    private void tell(Comparison comparison) {
        events.publish(new Event(Comparison.subject(comparison.id()), comparison.state().name()));
    }
}
