package dev.holdfast.peek;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the peeks. Each method is a short transaction. */
@Stateless
public class Peeks {

    /** As long as whoever waits for one may still ask why it failed. */
    private static final Duration TOLD = Duration.ofMinutes(2);

    /** So long without a lease a worker is lost, and its machines with it. */
    private static final Duration UNREACHABLE = Workers.LEASE;

    private static final Duration LONGEST_OPENING = Duration.ofMinutes(3);

    /** More than these need not be waited for: they could not all open in time. */
    private static final int MOST_OPENING = 8;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject LookRequests requests;

    public Optional<Peek> find(UUID id) {
        return Optional.ofNullable(em.find(Peek.class, id));
    }

    public Optional<Peek> of(SnapshotId snapshot) {
        return em.createQuery(
                        "select p from Peek p where p.snapshotId = :snapshot"
                                + " and p.state <> :failed",
                        Peek.class)
                .setParameter("snapshot", snapshot.value())
                .setParameter("failed", Peek.State.FAILED)
                .getResultStream()
                .findFirst();
    }

    /**
     * Has one opened, under the lock of its snapshot's row.
     *
     * @throws Problem {@code worker_busy} when the project waits for too many already
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Peek order(ProjectId project, SnapshotId snapshot, String worker) {
        if (opening(project) >= MOST_OPENING) {
            throw new Problem(
                            Reason.WORKER_BUSY,
                            "This project looks into %d snapshots at once already. Ask again later."
                                    .formatted(MOST_OPENING))
                    .retryAfter(ASK_AGAIN);
        }
        Peek peek = new Peek(project, snapshot, worker, time.now());
        em.persist(peek);
        em.flush();
        requests.send(new LookRequest(LookRequest.Operation.PEEK, peek.id(), worker));
        return peek;
    }

    /** Somebody looks into a snapshot for the first time since its peek was opened. */
    public void looked(ProjectId project, SnapshotId snapshot, String by) {
        audit.done(
                Deed.of(Action.SNAPSHOT_LOOK, Subject.snapshot(snapshot))
                        .in(project.value())
                        .by(by));
    }

    /** Whether the machine may be made, which is named before it is there. */
    public boolean claim(UUID id, String worker, String machine) {
        return locked(id).filter(peek -> peek.claim(worker, machine)).isPresent();
    }

    /** Whether it is still wanted. */
    public boolean opened(UUID id, String machine) {
        return locked(id).filter(peek -> peek.open(machine)).map(this::tell).isPresent();
    }

    public void failed(UUID id, Reason why, String words) {
        locked(id).filter(peek -> peek.fail(why, words)).ifPresent(this::tell);
    }

    /** Nobody looks any more. */
    public void ended(UUID id) {
        locked(id).ifPresent(em::remove);
    }

    /** The machines that a row names, of those. */
    public List<String> machinesNamed(Collection<String> machines) {
        return machines.isEmpty()
                ? List.of()
                : em.createQuery(
                                "select p.machine from Peek p where p.machine in :machines",
                                String.class)
                        .setParameter("machines", machines)
                        .getResultList();
    }

    /** Those of a worker that are said to be open. */
    public List<UUID> open(String worker) {
        return em.createQuery(
                        "select p.id from Peek p where p.workerId = :worker and p.state = :open",
                        UUID.class)
                .setParameter("worker", worker)
                .setParameter("open", Peek.State.OPEN)
                .getResultList();
    }

    /** Those of a worker's last run: none outlives it. */
    public void forget(String worker) {
        em.createQuery("delete from Peek p where p.workerId = :worker")
                .setParameter("worker", worker)
                .executeUpdate();
    }

    /** What was told long enough, what no worker has taken, and what is lost with its worker. */
    public void tidy() {
        em.createQuery(
                        "delete from Peek p where not exists (select w.id from Worker w"
                                + " where w.id = p.workerId and w.leaseUntil > :gone)")
                .setParameter("gone", time.now().minus(UNREACHABLE))
                .executeUpdate();
        em.createQuery("delete from Peek p where p.state = :failed and p.createdAt < :before")
                .setParameter("failed", Peek.State.FAILED)
                .setParameter("before", time.now().minus(TOLD).minus(LONGEST_OPENING))
                .executeUpdate();
        em.createQuery(
                        "select p.id from Peek p where p.state = :opening"
                                + " and p.createdAt < :before",
                        UUID.class)
                .setParameter("opening", Peek.State.OPENING)
                .setParameter("before", time.now().minus(LONGEST_OPENING))
                .getResultList()
                .forEach(id -> failed(id, Reason.WORKER_BUSY, "It did not open in time."));
    }

    private long opening(ProjectId project) {
        return em.createQuery(
                        "select count(p) from Peek p where p.projectId = :project"
                                + " and p.state = :opening",
                        Long.class)
                .setParameter("project", project.value())
                .setParameter("opening", Peek.State.OPENING)
                .getSingleResult();
    }

    private Optional<Peek> locked(UUID id) {
        return Optional.ofNullable(em.find(Peek.class, id, LockModeType.PESSIMISTIC_WRITE));
    }

    /** A hint for who waits; nothing of a peek is kept. */
    private Peek tell(Peek peek) {
        events.publish(new Event(Peek.subject(peek.id()), peek.state().name()));
        return peek;
    }
}
