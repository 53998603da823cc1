package dev.holdfast.template;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The templates a project can use. */
@Stateless
public class Templates {

    private static final int MOST = 100;
    private static final int MOST_BUILDING = 4;
    private static final Duration FAILED_KEPT = Duration.ofDays(7);

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Generations generations;
    @Inject Projects projects;

    /**
     * A template by ID or by name: the project's own goes before a built-in one. One that failed
     * has given its name up; while no other has it, the last one that failed is found by it, so
     * that whoever asks learns why. A built-in one of a generation that is turned off is not there.
     */
    public Optional<Template> find(ProjectId project, String reference) {
        return named(project, reference).getResultStream().findFirst();
    }

    /**
     * The same for whoever makes something from it or from what it made: until the caller's
     * transaction ends it is not deleted.
     *
     * @throws Problem {@code template_not_ready}
     */
    public Optional<Template> findReady(ProjectId project, String reference) {
        Optional<Template> found =
                named(project, reference)
                        .setLockMode(LockModeType.PESSIMISTIC_READ)
                        .getResultStream()
                        .findFirst();
        found.ifPresent(Template::requireReady);
        return found;
    }

    private TypedQuery<Template> named(ProjectId project, String reference) {
        return em.createQuery(
                        "select t from Template t where t.deletedAt is null"
                                + " and (t.id = :reference or t.name = :reference)"
                                + " and (t.projectId = :project or t.projectId is null"
                                + " and t.generation in :generations)"
                                + " order by case when t.state = :failed and t.id <> :reference"
                                + " then 1 else 0 end, t.projectId nulls last, t.createdAt desc,"
                                + " t.id",
                        Template.class)
                .setParameter("reference", reference)
                .setParameter("failed", TemplateState.FAILED)
                .setParameter("project", project.value())
                .setParameter("generations", generations.offered())
                .setMaxResults(1);
    }

    /** A template whatever became of it; a sandbox keeps the ID of one that was deleted. */
    public Optional<Template> find(TemplateId id) {
        return Optional.ofNullable(em.find(Template.class, id.value()));
    }

    /** The project's own and the built-in ones of the generations offered, by name. */
    public List<Template> list(ProjectId project) {
        return em.createQuery(
                        "select t from Template t where t.deletedAt is null"
                                + " and (t.projectId = :project or t.projectId is null"
                                + " and t.generation in :generations)"
                                + " order by t.name, t.createdAt, t.id",
                        Template.class)
                .setParameter("generations", generations.offered())
                .setParameter("project", project.value())
                .getResultList();
    }

    /**
     * Keeps a template from being deleted until the caller's transaction ends. Of a capture and the
     * deletion of its template the one that comes first to the row wins: the capture goes on, and
     * the deletion follows it, or the capture is refused.
     *
     * @throws Problem {@code template_deleted}
     */
    public void requireKept(TemplateId id) {
        Template template = em.find(Template.class, id.value(), LockModeType.PESSIMISTIC_READ);
        if (template == null || template.isDeleted()) {
            throw new Problem(
                            Reason.TEMPLATE_DELETED,
                            "The template that this sandbox comes from was deleted, so it cannot"
                                    + " be captured any more. It goes on running; what is to be"
                                    + " kept can be copied out.")
                    .with("templateId", id.value());
        }
    }

    /**
     * Makes a template known whose image is to be built, and holds its name.
     *
     * @throws Problem {@code name_taken}, {@code quota_count_exceeded}, {@code worker_busy}, {@code
     *     generation_unsupported}
     */
    public Template order(TemplateOrder order) {
        generations.require(order.generation());
        projects.lock(order.project());
        List<Template> own =
                list(order.project()).stream().filter(each -> !each.isBuiltIn()).toList();
        own.stream()
                .filter(each -> each.state() != TemplateState.FAILED)
                .filter(each -> each.name().equals(order.name().value()))
                .findFirst()
                .ifPresent(
                        holder -> {
                            throw new Problem(
                                            Reason.NAME_TAKEN,
                                            "The name "
                                                    + order.name()
                                                    + " belongs to another template of this"
                                                    + " project, which is left as it is. Choose"
                                                    + " another name, or delete that template"
                                                    + " first.")
                                    .with("templateId", holder.id().value());
                        });
        requireRoom(own, building(order.project()));
        Template template = new Template(order, time.now());
        em.persist(template);
        em.flush();
        audit.done(
                Deed.of(Action.TEMPLATE_UPLOAD, Subject.template(order.id()))
                        .in(order.project().value())
                        .by(order.actor())
                        .with("name", order.name()));
        return template;
    }

    /** Also those that were deleted: their archives are on the disk until it is their turn. */
    private long building(ProjectId project) {
        return em.createQuery(
                        "select count(t) from Template t where t.projectId = :project"
                                + " and t.state = :building",
                        Long.class)
                .setParameter("project", project.value())
                .setParameter("building", TemplateState.BUILDING)
                .getSingleResult();
    }

    private void requireRoom(List<Template> own, long building) {
        long used = building + count(own, TemplateState.READY);
        if (used >= MOST) {
            throw new Problem(
                            Reason.QUOTA_COUNT_EXCEEDED,
                            "A project may have "
                                    + MOST
                                    + " templates, and this one has them. Delete some.")
                    .with("limit", MOST)
                    .with("used", used)
                    .with("needed", 1);
        }
        if (building >= MOST_BUILDING) {
            throw new Problem(
                            Reason.WORKER_BUSY,
                            MOST_BUILDING
                                    + " templates of this project are being built. Wait for one"
                                    + " of them.")
                    .retryAfter(Duration.ofSeconds(10));
        }
    }

    private static long count(List<Template> templates, TemplateState state) {
        return templates.stream().filter(each -> each.state() == state).count();
    }

    /**
     * Deletes a template of the project. Its image stays as long as anything needs it.
     *
     * @return false when there is none
     * @throws Problem {@code template_built_in}
     */
    public boolean delete(ProjectId project, String reference) {
        Optional<Template> found =
                named(project, reference)
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getResultStream()
                        .findFirst();
        found.ifPresent(
                template -> {
                    template.delete(time.now());
                    audit.done(
                            Deed.of(Action.TEMPLATE_DELETE, Subject.template(template.id()))
                                    .in(project.value())
                                    .with("name", template.name()));
                });
        return found.isPresent();
    }

    /**
     * A build knows what its image will be called: from here on nobody removes it. Waits for a
     * removal of the same image that is under way, so that what is published after it stays.
     *
     * @return false when the template was deleted or given up meanwhile
     */
    public boolean claimImage(TemplateId id, String digest) {
        lockImage(digest);
        return locked(id).filter(template -> template.claim(digest)).isPresent();
    }

    /** Whether somebody still waits for it to be built. */
    public boolean isWanted(TemplateId id) {
        Template template = em.find(Template.class, id.value());
        return template != null
                && template.state() == TemplateState.BUILDING
                && !template.isDeleted();
    }

    /** The image is stored; false when the template was deleted or given up meanwhile. */
    public boolean ready(TemplateId id, Built built) {
        return locked(id)
                .filter(template -> template.ready(built.bytes(), built.environment(), time.now()))
                .isPresent();
    }

    /** A build came to nothing; false when it was over before. */
    public boolean fail(TemplateId id, String why) {
        Optional<Template> failed = locked(id).filter(template -> template.fail(why));
        failed.ifPresent(
                template ->
                        audit.failed(
                                Deed.of(Action.TEMPLATE_UPLOAD, Subject.template(id))
                                        .in(template.project().map(ProjectId::value).orElse(null))
                                        .by(template.createdBy())
                                        .with("name", template.name())
                                        .with("detail", why),
                                "build_failed"));
        return failed.isPresent();
    }

    /** What a worker was building when it ended. */
    public List<TemplateId> unfinished(String worker) {
        return em.createQuery(
                        "select t.id from Template t where t.state = :building"
                                + " and t.workerId = :worker",
                        String.class)
                .setParameter("building", TemplateState.BUILDING)
                .setParameter("worker", worker)
                .getResultStream()
                .map(TemplateId::new)
                .toList();
    }

    /** The builds past their deadline. */
    public List<TemplateId> overdue() {
        return em.createQuery(
                        "select t.id from Template t where t.state = :building"
                                + " and t.deadlineAt <= :now",
                        String.class)
                .setParameter("building", TemplateState.BUILDING)
                .setParameter("now", time.now())
                .getResultStream()
                .map(TemplateId::new)
                .toList();
    }

    /** Forgets builds that failed long ago and left no image. */
    public int forgetFailed() {
        return em.createNativeQuery(
                        "delete from template where state = 'FAILED' and created_at < :before"
                                + " and (digest is null or image_removed_at is not null)")
                .setParameter("before", time.now().minus(FAILED_KEPT))
                .executeUpdate();
    }

    /** The images that nothing needs and that were not removed yet. */
    @SuppressWarnings("unchecked") // the native query has no type
    public List<String> unneededImages() {
        return em.createNativeQuery(
                        "select distinct o.digest from template o where " + UNNEEDED, String.class)
                .getResultList();
    }

    /** An image that nobody needs is removed, in the transaction that gave it up. */
    public void imageRemoved(String digest) {
        em.createNativeQuery(
                        "update template set image_removed_at = clock_timestamp()"
                                + " where digest = :digest and project_id is not null"
                                + " and image_removed_at is null")
                .setParameter("digest", digest)
                .executeUpdate();
    }

    private static final String UNNEEDED =
            """
            o.digest is not null and o.image_removed_at is null and o.project_id is not null
            and (o.deleted_at is not null or o.state = 'FAILED')
            and not exists (select 1 from template t where t.digest = o.digest
                and t.deleted_at is null and t.state <> 'FAILED')
            and not exists (select 1 from snapshot s where s.template_digest = o.digest)
            and not exists (select 1 from sandbox b where b.template_digest = o.digest
                and b.state <> 'ENDED')""";

    /** Until the transaction ends; apart from the rows, because one image may have many. */
    private void lockImage(String digest) {
        em.createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:image, 0))")
                .setParameter("image", "template image " + digest)
                .getResultList();
    }

    private Optional<Template> locked(TemplateId id) {
        return Optional.ofNullable(
                em.find(Template.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }

    /**
     * Makes a built-in template known although there may be no image of it yet, so that whoever
     * asks for it is told what the workers lack and not that it does not exist.
     */
    public void introduceBuiltIn(TemplateId id, int generation, Size size) {
        if (em.find(Template.class, id.value()) == null) {
            em.persist(new Template(id, id.value(), generation, null, size, time.now()));
        }
    }

    /**
     * Makes a built-in template start from an image that is in the store. Saying the same again
     * changes nothing.
     */
    public void publishBuiltIn(TemplateId id, int generation, String digest, Size size) {
        Template template = em.find(Template.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (template == null) {
            em.persist(new Template(id, id.value(), generation, digest, size, time.now()));
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
