package dev.holdfast.fleet;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The workers of this installation. */
@Stateless
public class Workers {

    /** A worker that has not renewed for this long is unreachable. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    @Inject
    @ConfigProperty(name = "holdfast.fleet.lost", defaultValue = "PT5M")
    Duration lost;

    public void announce(Offer offer) {
        Worker worker = em.find(Worker.class, offer.worker(), LockModeType.PESSIMISTIC_WRITE);
        boolean known = worker != null;
        if (!known) {
            worker = new Worker(offer.worker());
        }
        worker.announce(offer, time.now(), LEASE);
        if (!known) {
            em.persist(worker);
        }
    }

    public void renew(String id) {
        locked(id).ifPresent(worker -> worker.renew(time.now(), LEASE));
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

    /** The workers that have not renewed for so long that what they ran is given up. */
    public List<String> lost() {
        List<?> ids =
                em.createNativeQuery(
                                "select id from worker w where lease_until < :before and exists"
                                        + " (select 1 from sandbox s where s.worker_id = w.id"
                                        + " and s.state not in ('PAUSED', 'ENDED'))",
                                String.class)
                        .setParameter("before", time.now().minus(lost))
                        .getResultList();
        return ids.stream().map(String.class::cast).toList();
    }

    /** Every worker that renews its lease, whether it lacks something or not. */
    public List<Worker> reachable() {
        Instant now = time.now();
        return em.createQuery("select w from Worker w order by w.id", Worker.class)
                .getResultStream()
                .filter(worker -> worker.isReachable(now))
                .toList();
    }

    /**
     * The worker for a new sandbox: one that can, the one with the fewest.
     *
     * @param suits what the sandbox needs besides, for a restore the runtime that wrote its image
     * @param preferred the worker that has its image at hand; another takes it when that is full
     * @throws Problem {@code no_worker} saying what is missing, {@code worker_busy} when all are
     *     full
     */
    public Worker pick(Predicate<Worker> suits, Optional<String> preferred) {
        List<Worker> reachable = reachable();
        List<Worker> able =
                reachable.stream()
                        .filter(worker -> worker.missing().isEmpty())
                        .filter(suits)
                        .toList();
        if (able.isEmpty()) {
            throw none(reachable);
        }
        Map<Worker, Long> loads = new LinkedHashMap<>();
        able.forEach(worker -> loads.put(worker, load(worker)));
        return able.stream()
                .filter(worker -> loads.get(worker) < worker.sandboxLimit())
                .min(
                        Comparator.comparing(
                                        (Worker worker) ->
                                                preferred.filter(worker.id()::equals).isEmpty())
                                .thenComparing(loads::get)
                                .thenComparing(Worker::id))
                .orElseThrow(
                        () ->
                                new Problem(
                                                Reason.WORKER_BUSY,
                                                "Every worker runs as many sandboxes as it may."
                                                        + " End some, or ask again later.")
                                        .retryAfter(ASK_AGAIN));
    }

    private static Problem none(List<Worker> reachable) {
        StringBuilder why = new StringBuilder("No worker can take this sandbox.");
        if (reachable.isEmpty()) {
            why.append(" None is running.");
        }
        for (Worker worker : reachable) {
            worker.missing()
                    .forEach(lack -> why.append(' ').append(worker.id()).append(": ").append(lack));
            worker.missingForLight().stream()
                    .flatMap(List::stream)
                    .forEach(
                            lack ->
                                    why.append(' ')
                                            .append(worker.id())
                                            .append(", for generation 1: ")
                                            .append(lack));
        }
        return new Problem(Reason.NO_WORKER, why.toString()).retryAfter(ASK_AGAIN);
    }

    private long load(Worker worker) {
        return ((Number)
                        em.createNativeQuery(
                                        "select count(*) from sandbox"
                                                + " where worker_id = :id"
                                                + " and state not in ('PAUSED', 'ENDED')")
                                .setParameter("id", worker.id())
                                .getSingleResult())
                .longValue();
    }
}
