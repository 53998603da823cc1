package dev.holdfast.fleet;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.role.Role;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The workers of this installation: their leases, and what operators say of them. */
@Stateless
public class Workers {

    /** What becomes of a worker's wish to take no more. */
    public enum Leave {
        /** By that it is drained. */
        BEGUN,
        /** It was drained before. */
        GOES_ON,
        /** What it ran is not its own any more. */
        NOT_ITS_OWN
    }

    /** A worker that has not renewed for this long is unreachable. */
    public static final Duration LEASE = FleetConfig.LEASE;

    /**
     * How long a lease may be over before that is told: when the database was away they all are,
     * and who comes back together with it renews within this time.
     */
    private static final Duration PATIENCE = LEASE;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    private static final String STARTING = "the worker is starting";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Events events;
    @Inject FleetConfig config;
    @Inject DatabaseTime time;

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String here;

    /**
     * A process takes a worker's name, and nothing yet. One of the same installation does so at
     * once, whatever became of the one before: two of them cannot run beside each other.
     *
     * @param instance tells installations apart
     * @param started whether the process has just started, which ends a drain; one that was given
     *     up and begins anew is drained as before
     * @return under which number it renews
     * @throws IllegalStateException in words while a process of another installation has the name
     */
    public long begin(String id, String instance, Set<Role> roles, boolean started) {
        Instant now = time.now();
        Worker worker = em.find(Worker.class, id, LockModeType.PESSIMISTIC_WRITE);
        boolean known = worker != null;
        if (!known) {
            worker = new Worker(id);
        }
        if (worker.leaseUntil() != null && worker.isHeldAgainst(instance, now)) {
            throw new IllegalStateException(
                    "Another server is worker "
                            + id
                            + ". Name this one otherwise (HOLDFAST_WORKER_ID), or stop the other"
                            + " and start this one when its lease is over, "
                            + LEASE.toSeconds()
                            + " seconds after its end");
        }
        worker.begin(instance, roles, now, LEASE);
        worker.lack(STARTING);
        boolean drained = started && worker.undrain();
        if (!known) {
            em.persist(worker);
        }
        tell(EventType.WORKER_REGISTERED, worker);
        if (drained) {
            tell(EventType.WORKER_DRAIN_ENDED, worker);
        }
        return worker.incarnation();
    }

    /** What it offers from now on, unless another process has its name by now. */
    public void announce(Offer offer, long incarnation) {
        locked(offer.worker())
                .filter(worker -> worker.judge(incarnation) != Renewal.TAKEN)
                .ifPresent(worker -> worker.announce(offer));
    }

    /** Tells that one has renewed again of which was told that nobody hears of it. */
    public void heard(String id) {
        Instant now = time.now();
        find(id).filter(worker -> worker.isMissedSince(now))
                .flatMap(missed -> locked(id))
                .filter(worker -> worker.isReachable(now))
                .filter(Worker::isBack)
                .ifPresent(worker -> tell(EventType.WORKER_REACHABLE, worker));
    }

    /** How many bytes of its disk volumes may take yet. */
    public void tellRoom(String id, long bytes) {
        locked(id).ifPresent(worker -> worker.tellRoom(bytes));
    }

    /** Where other nodes reach it, from now on. */
    public void tellAddress(String id, Optional<Address> address) {
        locked(id).ifPresent(worker -> worker.tellAddress(address));
    }

    /** The same worker while it renews its lease. */
    public Optional<Worker> reachable(String id) {
        return find(id).filter(worker -> worker.isReachable(time.now()));
    }

    /** Whether other nodes than this worker say where they are reached, and renew their lease. */
    public boolean isAnyReachedBeside(String id) {
        return em.createQuery(
                                "select count(w) from Worker w where w.id <> :id"
                                        + " and w.address is not null and w.leaseUntil > :now",
                                Long.class)
                        .setParameter("id", id)
                        .setParameter("now", time.now())
                        .getSingleResult()
                > 0;
    }

    /**
     * With its row locked until the caller's transaction ends, and as it is then: a row that was
     * read in the same transaction before is read again.
     */
    public Optional<Worker> locked(String id) {
        var found = find(id);
        found.ifPresent(worker -> em.refresh(worker, LockModeType.PESSIMISTIC_WRITE));
        return found;
    }

    public Optional<Worker> find(String id) {
        return Optional.ofNullable(em.find(Worker.class, id));
    }

    /**
     * @throws Problem {@code worker_not_found}
     */
    public Worker get(String id) {
        return find(id).orElseThrow(() -> unknown(id));
    }

    /** All there ever were. */
    public List<Worker> all() {
        return em.createQuery("select w from Worker w order by w.id", Worker.class).getResultList();
    }

    /** Every worker that renews its lease, whether it lacks something or not. */
    public List<Worker> reachable() {
        return em.createQuery(
                        "select w from Worker w where w.leaseUntil > :now order by w.id",
                        Worker.class)
                .setParameter("now", time.now())
                .getResultList();
    }

    /**
     * This node does not doubt itself: while its lease is over, for want of the database for
     * example, its sandboxes still run.
     *
     * @throws Problem {@code worker_unreachable} while nobody hears of it
     */
    public void requireReachable(String id) {
        requireReachable(id, Duration.ZERO);
    }

    /**
     * The same with patience: when the database was away all leases are over at once, and whoever
     * lives renews in that time.
     *
     * @throws Problem {@code worker_unreachable} when nobody has heard of it for that long
     */
    public void requireHeard(String id) {
        requireReachable(id, PATIENCE);
    }

    private void requireReachable(String id, Duration patience) {
        Instant then = time.now().minus(patience);
        if (!id.equals(here) && find(id).filter(w -> !w.isReachable(then)).isPresent()) {
            throw new Problem(
                            Reason.WORKER_UNREACHABLE,
                            "Nobody hears of worker "
                                    + id
                                    + ", on which the sandbox runs. It goes on when the worker is"
                                    + " back, or ends as lost. Ask again later.")
                    .retryAfter(ASK_AGAIN);
        }
    }

    /** The workers that have not renewed for so long that what they ran is given up. */
    public List<String> lost() {
        return ids(
                "select id from worker w where lease_until < :before and exists"
                        + " (select 1 from sandbox s where s.worker_id = w.id"
                        + " and s.state not in ('PAUSED', 'ENDED'))",
                config.lost());
    }

    /**
     * What a worker ran is given up from now on. It can renew no more before it has begun anew, so
     * that whatever it ran before has ended on both sides. It must have been missed for a while
     * first: when the database's clock has leapt all leases are over at once, and whoever lives
     * renews meanwhile.
     *
     * @return false when it is not given up, or not yet
     */
    public boolean lose(String id) {
        Instant now = time.now();
        Optional<Worker> lost =
                locked(id)
                        .filter(worker -> worker.leaseUntil().isBefore(now.minus(config.lost())))
                        .filter(worker -> worker.isMissedSince(now.minus(PATIENCE)));
        lost.filter(worker -> worker.lose(now))
                .ifPresent(worker -> tell(EventType.WORKER_LOST, worker));
        return lost.isPresent();
    }

    /** Whether what a worker ran is given up, and stays so until the caller's transaction ends. */
    public boolean isLost(String id) {
        return locked(id).filter(Worker::isLost).isPresent();
    }

    /** The workers that nobody hears of and of which that has not been told. */
    public List<String> missed() {
        return ids(
                "select id from worker where lease_until < :before and unreachable_at is null",
                PATIENCE);
    }

    /** Tells of one, unless it has renewed or another node has told meanwhile. */
    public void miss(String id) {
        Instant now = time.now();
        locked(id)
                .filter(worker -> worker.leaseUntil().isBefore(now.minus(PATIENCE)))
                .filter(worker -> worker.miss(now))
                .ifPresent(worker -> tell(EventType.WORKER_UNREACHABLE, worker));
    }

    /**
     * Has a worker take no more and pause what it runs.
     *
     * @throws Problem {@code worker_not_found}
     */
    public Worker drain(String id) {
        Worker worker = locked(id).orElseThrow(() -> unknown(id));
        if (worker.drain(time.now())) {
            audit.done(Deed.of(Action.WORKER_DRAIN, new Subject("worker", id)));
            tell(EventType.WORKER_DRAINING, worker);
        }
        return worker;
    }

    /**
     * The worker's server is about to stop: it takes no more and pauses what it runs. Nobody has
     * asked for that drain, so the audit has no word of it.
     *
     * @param incarnation the number under which it began
     */
    public Leave leave(String id, long incarnation) {
        Optional<Worker> own = own(id, incarnation);
        Optional<Worker> begun = own.filter(worker -> worker.drain(time.now()));
        begun.ifPresent(worker -> tell(EventType.WORKER_DRAINING, worker));
        return begun.isPresent()
                ? Leave.BEGUN
                : own.isPresent() ? Leave.GOES_ON : Leave.NOT_ITS_OWN;
    }

    /** The stop for which the worker was leaving is called off: it takes sandboxes again. */
    public void stay(String id, long incarnation) {
        own(id, incarnation)
                .filter(Worker::undrain)
                .ifPresent(worker -> tell(EventType.WORKER_DRAIN_ENDED, worker));
    }

    private Optional<Worker> own(String id, long incarnation) {
        return locked(id).filter(worker -> worker.judge(incarnation) == Renewal.DONE);
    }

    /**
     * Has it take sandboxes again; what it has paused goes on where there is room.
     *
     * @throws Problem {@code worker_not_found}
     */
    public Worker undrain(String id) {
        Worker worker = locked(id).orElseThrow(() -> unknown(id));
        if (worker.undrain()) {
            audit.done(Deed.of(Action.WORKER_UNDRAIN, new Subject("worker", id)));
            tell(EventType.WORKER_DRAIN_ENDED, worker);
        }
        return worker;
    }

    /** Nothing runs there any more, of one that is being drained. */
    public void drained(String id) {
        locked(id)
                .filter(worker -> worker.drained(time.now()))
                .ifPresent(worker -> tell(EventType.WORKER_DRAINED, worker));
    }

    private List<String> ids(String statement, Duration over) {
        List<?> ids =
                em.createNativeQuery(statement, String.class)
                        .setParameter("before", time.now().minus(over))
                        .getResultList();
        return ids.stream().map(String.class::cast).toList();
    }

    /** What events of a worker are about. */
    public static String subject(String id) {
        return "worker:" + id;
    }

    private void tell(EventType type, Worker worker) {
        events.publish(
                new Event(
                        subject(worker.id()),
                        type.word(),
                        List.of(Notice.ofService(type, worker.id()))));
    }

    private static Problem unknown(String id) {
        return new Problem(Reason.WORKER_NOT_FOUND, "There is no worker " + id + ".");
    }
}
