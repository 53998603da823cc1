package dev.holdfast.access;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.Optional;

/** The projects. */
@Stateless
public class Projects {
    @PersistenceContext private EntityManager em;
    @Inject private PlanConfig plan;

    public Optional<Project> find(ProjectId id) {
        return Optional.ofNullable(em.find(Project.class, id.value()));
    }

    /** For a caller whose key or row already names it, so that it exists. */
    public Project get(ProjectId id) {
        return find(id).orElseThrow(() -> gone(id));
    }

    public Optional<Project> find(Slug slug) {
        return em.createQuery("select p from Project p where p.slug = :slug", Project.class)
                .setParameter("slug", slug.value())
                .getResultStream()
                .findFirst();
    }

    /**
     * The project with its row locked until the caller's transaction ends: the one lock under which
     * its limits are judged and its room is reserved.
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Project lock(ProjectId id) {
        var project = em.find(Project.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (project == null) {
            throw gone(id);
        }
        return project;
    }

    /**
     * Makes a project that stored snapshots name and the catalogue has lost: without a slug and
     * with what projects are given when nobody says otherwise.
     *
     * @return false when it was there
     */
    public boolean introduce(ProjectId id) {
        return em.createNativeQuery(
                                "insert into project (id, name, plan_bytes, plan_snapshots,"
                                        + " plan_live_sandboxes, plan_lifetime_seconds, created_at,"
                                        + " version) values (:id, :name, :bytes, :snapshots,"
                                        + " :sandboxes, :lifetime, clock_timestamp(), 0)"
                                        + " on conflict (id) do nothing")
                        .setParameter("id", id.value())
                        .setParameter("name", "recovered " + id)
                        .setParameter("bytes", plan.allowance().bytes())
                        .setParameter("snapshots", plan.allowance().snapshots())
                        .setParameter("sandboxes", plan.allowance().liveSandboxes())
                        .setParameter("lifetime", plan.allowance().longestLifetime().toSeconds())
                        .executeUpdate()
                > 0;
    }

    /** How long its snapshots are kept from now on; those that exist keep their expiry. */
    public Project keepSnapshotsFor(ProjectId id, Optional<Duration> retention) {
        var project = lock(id);
        project.keepSnapshotsFor(retention);
        return project;
    }

    private static IllegalStateException gone(ProjectId id) {
        return new IllegalStateException("No project " + id);
    }
}
