package dev.holdfast.fleet;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Which worker takes the next sandbox. */
@Stateless
public class Vacancies {

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    /**
     * How long others are waited for. A node that dies between the two phases of its commit holds
     * the lock until it is back, and must not keep the others from working: then a worker may get a
     * sandbox too many.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long LOOK_AGAIN = 25;

    @PersistenceContext EntityManager em;
    @Inject Workers workers;

    /**
     * The same as {@link #pick} for a sandbox that the caller's transaction puts there: until its
     * end nobody else is given a place on that worker, so that none gets more than it may. Others
     * go on, so that a cluster begins as many sandboxes at once as it has workers.
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Worker take(Predicate<Worker> suits, Optional<String> preferred) {
        for (Worker each : vacant(suits, preferred)) {
            awaitOthers(each);
            if (load(each) < each.sandboxLimit()) {
                return each;
            }
        }
        throw busy();
    }

    /** Looked for again and again, and not queued for: two that wait for each other both go on. */
    private void awaitOthers(Worker worker) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!isAlone(worker) && System.nanoTime() < end) {
                Thread.sleep(LOOK_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAlone(Worker worker) {
        return (Boolean)
                em.createNativeQuery(
                                "select pg_try_advisory_xact_lock(hashtextextended('vacancy ' ||"
                                        + " :id, 0))")
                        .setParameter("id", worker.id())
                        .getSingleResult();
    }

    private long load(Worker worker) {
        return ((Number)
                        em.createNativeQuery(
                                        "select count(*) from sandbox where worker_id = :id"
                                                + " and state not in ('PAUSED', 'ENDED')")
                                .setParameter("id", worker.id())
                                .getSingleResult())
                .longValue();
    }

    /**
     * A worker for something new: one that can, the one with the fewest sandboxes.
     *
     * @param suits what is needed besides, for a restore the runtime that wrote its image
     * @param preferred the worker that has its image at hand; another takes it when that is full
     * @throws Problem {@code no_worker} saying what is missing, {@code worker_busy} when all are
     *     full
     */
    public Worker pick(Predicate<Worker> suits, Optional<String> preferred) {
        return vacant(suits, preferred).get(0);
    }

    /** Those that can and have room, the best first; at least one. */
    private List<Worker> vacant(Predicate<Worker> suits, Optional<String> preferred) {
        List<Worker> reachable = workers.reachable();
        List<Worker> able = reachable.stream().filter(Worker::isOpen).filter(suits).toList();
        if (able.isEmpty()) {
            throw none(reachable);
        }
        Map<String, Long> loads = loads();
        List<Worker> vacant =
                able.stream()
                        .filter(worker -> load(loads, worker) < worker.sandboxLimit())
                        .sorted(
                                Comparator.comparing(
                                                (Worker worker) ->
                                                        preferred
                                                                .filter(worker.id()::equals)
                                                                .isEmpty())
                                        .thenComparing(worker -> load(loads, worker))
                                        .thenComparing(Worker::id))
                        .toList();
        if (vacant.isEmpty()) {
            throw busy();
        }
        return vacant;
    }

    private static Problem busy() {
        return new Problem(
                        Reason.WORKER_BUSY,
                        "Every worker runs as many sandboxes as it may. End some, or ask again"
                                + " later.")
                .retryAfter(ASK_AGAIN);
    }

    /** How many sandboxes have a machine on each worker that has any, or are to get one. */
    public Map<String, Long> loads() {
        Map<String, Long> loads = new HashMap<>();
        for (Object row :
                em.createNativeQuery(
                                "select worker_id, count(*) from sandbox"
                                        + " where state not in ('PAUSED', 'ENDED')"
                                        + " group by worker_id")
                        .getResultList()) {
            Object[] load = (Object[]) row;
            loads.put((String) load[0], ((Number) load[1]).longValue());
        }
        return loads;
    }

    private static long load(Map<String, Long> loads, Worker worker) {
        return loads.getOrDefault(worker.id(), 0L);
    }

    private static Problem none(List<Worker> reachable) {
        StringBuilder why = new StringBuilder("No worker can take this sandbox.");
        if (reachable.isEmpty()) {
            why.append(" None is running.");
        }
        for (Worker worker : reachable) {
            if (worker.drainingAt().isPresent()) {
                why.append(' ').append(worker.id()).append(": it is being drained");
            }
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
}
