package dev.holdfast.access;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;

/** The projects. */
@Stateless
public class Projects {
    @PersistenceContext private EntityManager em;

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

    private static IllegalStateException gone(ProjectId id) {
        return new IllegalStateException("No project " + id);
    }
}
