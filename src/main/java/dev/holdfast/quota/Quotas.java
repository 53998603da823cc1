package dev.holdfast.quota;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.UUID;

/**
 * What a project may store. Reserving, settling and freeing lock the project's usage row, so any
 * number of captures at once are admitted exactly as far as there is room.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.MANDATORY)
public class Quotas {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;
    @Inject Projects projects;

    /**
     * Holds room for one capture.
     *
     * @throws Problem {@code quota_bytes_exceeded} or {@code quota_count_exceeded} with limit, used
     *     and needed
     */
    public void reserve(ProjectId project, UUID owner, long bytes, Duration lifetime) {
        Usage usage = lock(project);
        Allowance limit = limit(project);
        Held held = held(project);
        long usedBytes = usage.bytes() + held.bytes();
        long usedCount = usage.storedCount() + held.count();
        if (usedCount + 1 > limit.snapshots()) {
            throw exceeded(
                    Reason.QUOTA_COUNT_EXCEEDED, "snapshots", limit.snapshots(), usedCount, 1);
        }
        if (usedBytes + bytes > limit.bytes()) {
            throw exceeded(Reason.QUOTA_BYTES_EXCEEDED, "bytes", limit.bytes(), usedBytes, bytes);
        }
        em.persist(new Reservation(owner, project.value(), bytes, time.now().plus(lifetime)));
    }

    /**
     * The capture is stored: its true size takes the place of what was held.
     *
     * @throws Problem {@code quota_bytes_exceeded} when it turned out larger than there is room for
     */
    public void settle(ProjectId project, UUID owner, long bytes) {
        Usage usage = lock(project);
        release(owner);
        em.flush();
        long used = usage.bytes() + held(project).bytes();
        long limit = limit(project).bytes();
        if (used + bytes > limit) {
            throw exceeded(Reason.QUOTA_BYTES_EXCEEDED, "bytes", limit, used, bytes);
        }
        usage.add(bytes);
    }

    /** The capture came to nothing. */
    public void release(UUID owner) {
        Reservation reservation = em.find(Reservation.class, owner);
        if (reservation != null) {
            em.remove(reservation);
        }
    }

    /** A snapshot is stored already and was not counted; no limit takes it away again. */
    public void keep(ProjectId project, long bytes) {
        lock(project).add(bytes);
    }

    /** A stored snapshot's objects are gone. */
    public void free(ProjectId project, long bytes) {
        lock(project).subtract(bytes);
    }

    /**
     * The state of a paused sandbox is stored; never refused, for its memory has to go somewhere.
     */
    public void keepPause(ProjectId project, long bytes) {
        lock(project).addPaused(bytes);
    }

    /** The state of a pause is gone. */
    public void freePause(ProjectId project, long bytes) {
        lock(project).addPaused(-bytes);
    }

    private Allowance limit(ProjectId project) {
        return projects.get(project).limit();
    }

    private record Held(long bytes, long count) {}

    private Held held(ProjectId project) {
        Object[] sums =
                em.createQuery(
                                "select coalesce(sum(r.bytes), 0), count(r)"
                                        + " from Reservation r where r.projectId = :project",
                                Object[].class)
                        .setParameter("project", project.value())
                        .getSingleResult();
        return new Held(((Number) sums[0]).longValue(), ((Number) sums[1]).longValue());
    }

    private Usage lock(ProjectId project) {
        em.createNativeQuery(
                        "insert into project_usage (project_id) values (:project)"
                                + " on conflict do nothing")
                .setParameter("project", project.value())
                .executeUpdate();
        Usage usage = em.find(Usage.class, project.value(), LockModeType.PESSIMISTIC_WRITE);
        em.refresh(usage);
        return usage;
    }

    private static Problem exceeded(
            Reason reason, String what, long limit, long used, long needed) {
        return new Problem(
                        reason,
                        "This project may store "
                                + limit
                                + " "
                                + what
                                + ", uses "
                                + used
                                + " and would need "
                                + needed
                                + " more. Delete snapshots or raise the limit.")
                .with("limit", limit)
                .with("used", used)
                .with("needed", needed);
    }
}
