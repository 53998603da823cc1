package dev.holdfast.template;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;

/** The templates a project can use. */
@Stateless
public class Templates {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /** A template by ID or by name: the project's own goes before a built-in one. */
    public Optional<Template> find(ProjectId project, String reference) {
        return em.createQuery(
                        "select t from Template t where t.deletedAt is null"
                                + " and (t.id = :reference or t.name = :reference)"
                                + " and (t.projectId = :project or t.projectId is null)"
                                + " order by t.projectId nulls last, t.id",
                        Template.class)
                .setParameter("reference", reference)
                .setParameter("project", project.value())
                .setMaxResults(1)
                .getResultStream()
                .findFirst();
    }

    /** A template whatever became of it; a sandbox keeps the ID of one that was deleted. */
    public Optional<Template> find(TemplateId id) {
        return Optional.ofNullable(em.find(Template.class, id.value()));
    }

    /**
     * Makes a built-in template known although there may be no image of it yet, so that whoever
     * asks for it is told what the workers lack and not that it does not exist.
     */
    public void introduceBuiltIn(TemplateId id, Size size) {
        if (em.find(Template.class, id.value()) == null) {
            em.persist(new Template(id, id.value(), null, size, time.now()));
        }
    }

    /**
     * Makes a built-in template start from an image that is in the store. Saying the same again
     * changes nothing.
     */
    public void publishBuiltIn(TemplateId id, String digest, Size size) {
        Template template = em.find(Template.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (template == null) {
            em.persist(new Template(id, id.value(), digest, size, time.now()));
        } else {
            template.publish(digest, size);
        }
    }

    /**
     * Makes a template known that stored snapshots name and the catalogue has lost. It counts as
     * deleted: what a snapshot knows of its template is not enough to start from it.
     *
     * @return false when it was known
     */
    public boolean remember(TemplateId id, String digest, Size size) {
        if (em.find(Template.class, id.value()) != null) {
            return false;
        }
        em.persist(Template.lost(id, digest, size, time.now()));
        return true;
    }
}
