package dev.holdfast.volume;

import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
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
import java.util.List;

/**
 * The workers that have the files of volumes: which one gets a new one, and whether it is there.
 */
@Stateless
public class Homes {

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    @PersistenceContext EntityManager em;
    @Inject Workers workers;

    /**
     * The worker for a new volume: one that is reachable, takes sandboxes and has room for all of
     * it beside what it has promised. Until the caller's transaction ends it promises nobody else
     * anything.
     *
     * @param preferred taken if it can
     * @throws Problem {@code no_worker}, {@code disk_full}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public String pick(long bytes, String preferred) {
        List<String> able =
                workers.reachable().stream()
                        .filter(Worker::isOpen)
                        .filter(worker -> worker.volumeRoom().isPresent())
                        .map(Worker::id)
                        .toList();
        if (able.isEmpty()) {
            throw new Problem(
                            Reason.NO_WORKER,
                            "No worker can take a volume now: none that takes sandboxes is"
                                    + " reachable. Ask again later.")
                    .retryAfter(ASK_AGAIN);
        }
        // In one order: two who prefer different ones would wait for each other.
        able.forEach(workers::locked);
        return able.stream()
                .sorted(Comparator.comparing(id -> !id.equals(preferred)))
                .filter(id -> hasRoom(id, bytes))
                .findFirst()
                .orElseThrow(() -> full(bytes));
    }

    /**
     * Until the caller's transaction ends the worker promises nobody else anything.
     *
     * @throws Problem {@code disk_full}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void requireRoom(String worker, long more) {
        if (!hasRoom(worker, more)) {
            throw full(more);
        }
    }

    /**
     * @throws Problem {@code volume_unavailable} while nobody hears of its worker
     */
    public void requireReachable(Volume volume) {
        if (workers.reachable().stream().map(Worker::id).noneMatch(volume.worker()::equals)) {
            throw new Problem(
                            Reason.VOLUME_UNAVAILABLE,
                            "Volume "
                                    + volume.name()
                                    + " is on worker "
                                    + volume.worker()
                                    + ", which is not heard of. Ask again when it is back.")
                    .with("volume", volume.id().toString())
                    .with("worker", volume.worker())
                    .retryAfter(ASK_AGAIN);
        }
    }

    private boolean hasRoom(String id, long bytes) {
        return workers.locked(id)
                .flatMap(Worker::volumeRoom)
                .filter(room -> room - promised(id) >= bytes)
                .isPresent();
    }

    /** What the volumes of a worker may grow to and their files have not taken of its disk yet. */
    private long promised(String worker) {
        return em.createQuery(
                        "select coalesce(sum(v.limitBytes - v.heldBytes), 0L) from Volume v where"
                                + " v.workerId = :worker and v.deletedAt is null",
                        Long.class)
                .setParameter("worker", worker)
                .getSingleResult();
    }

    private static Problem full(long needed) {
        return new Problem(
                        Reason.DISK_FULL,
                        "No worker's disk has "
                                + needed
                                + " bytes left for volumes beside what is promised already and what"
                                + " it keeps free. Take a smaller limit, delete a volume, or have"
                                + " the operator make room.")
                .with("needed", needed);
    }
}
