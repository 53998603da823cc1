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
    @Inject Usages usages;

    /**
     * Holds room for one capture.
     *
     * @throws Problem {@code quota_bytes_exceeded} or {@code quota_count_exceeded} with limit, used
     *     and needed
     */
    public void reserve(ProjectId project, UUID owner, long bytes, Duration lifetime) {
        Level stored = usages.lock(project);
        Allowance limit = limit(project);
        Charge held = held(project);
        long usedBytes = stored.bytes() + held.bytes();
        long usedCount = stored.snapshots() + held.count();
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
        usages.change(
                project,
                stored -> {
                    release(owner);
                    long used = stored.bytes() + held(project).bytes();
                    long limit = limit(project).bytes();
                    if (used + bytes > limit) {
                        throw exceeded(Reason.QUOTA_BYTES_EXCEEDED, "bytes", limit, used, bytes);
                    }
                    return stored.save(bytes);
                });
    }

    /** The capture came to nothing. Whoever found that out first may have released it before. */
    public void release(UUID owner) {
        em.createQuery("delete from Reservation r where r.owner = :owner")
                .setParameter("owner", owner)
                .executeUpdate();
    }

    /** A snapshot is stored already and was not counted; no limit takes it away again. */
    public void keep(ProjectId project, long bytes) {
        usages.change(project, level -> level.save(bytes));
    }

    /** The objects of stored snapshots are gone. */
    public void free(ProjectId project, long bytes, long count) {
        usages.change(project, level -> level.free(bytes, count));
    }

    /**
     * The state of a paused sandbox is stored; never refused, for its memory has to go somewhere.
     */
    public void keepPause(ProjectId project, long bytes) {
        usages.change(project, level -> level.pause(bytes));
    }

    /** The state of a pause is gone. */
    public void freePause(ProjectId project, long bytes) {
        usages.change(project, level -> level.freePause(bytes));
    }

    private Allowance limit(ProjectId project) {
        return projects.get(project).limit();
    }

    private Charge held(ProjectId project) {
        Object[] sums =
                em.createQuery(
                                "select coalesce(sum(r.bytes), 0), count(r)"
                                        + " from Reservation r where r.projectId = :project",
                                Object[].class)
                        .setParameter("project", project.value())
                        .getSingleResult();
        return new Charge(((Number) sums[0]).longValue(), ((Number) sums[1]).longValue());
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
