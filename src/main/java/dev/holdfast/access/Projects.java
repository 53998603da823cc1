package dev.holdfast.access;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Precondition;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.hibernate.exception.ConstraintViolationException;

/** The projects. */
@Stateless
public class Projects {
    private static final String SLUG_INDEX = "project_slug_key";

    /** In the order of all projects. */
    public record Place(Instant createdAt, ProjectId id) {}

    @PersistenceContext private EntityManager em;
    @Inject private Audit audit;
    @Inject private PlanConfig plan;
    @Inject private DatabaseTime time;

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
     * For whoever shows something else than a key, which is refused with its project.
     *
     * @throws Problem {@code project_closed}
     */
    public void requireOpen(ProjectId id) {
        requireOpen(get(id));
    }

    /**
     * The project with its row locked until the caller's transaction ends: the one lock under which
     * its limits are judged and its room is reserved.
     *
     * @throws Problem {@code project_closed}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Project lock(ProjectId id) {
        var project = locked(id).orElseThrow(() -> gone(id));
        requireOpen(project);
        return project;
    }

    /** By ID or by slug. */
    public Optional<Project> named(String text) {
        return Slug.read(text)
                .flatMap(this::find)
                .or(() -> ProjectId.read(text).flatMap(this::find));
    }

    /**
     * A page of all projects, the oldest first.
     *
     * @param after where the page begins
     */
    public List<Project> list(Optional<Place> after, int limit) {
        var text =
                "select p from Project p"
                        // The first condition alone is a bound of the index.
                        + (after.isPresent()
                                ? " where p.createdAt >= :at and (p.createdAt > :at or p.id > :id)"
                                : "")
                        + " order by p.createdAt, p.id";
        var query = em.createQuery(text, Project.class).setMaxResults(limit);
        after.ifPresent(
                last -> {
                    query.setParameter("at", last.createdAt());
                    query.setParameter("id", last.id().value());
                });
        return query.getResultList();
    }

    /** What a project is given when nobody says otherwise. */
    public Allowance usual() {
        return plan.allowance();
    }

    /**
     * @throws Problem {@code name_taken} for a slug that another project has
     */
    public Project create(ProjectTerms terms) {
        requireFree(terms, Optional.empty());
        var project = new Project(ProjectId.fresh(), terms, time.now());
        em.persist(project);
        settle(terms);
        audit.done(told(Action.PROJECT_CREATE, project));
        return project;
    }

    /**
     * Other terms from now on. Another slug renames every qualified name at once, because the slug
     * is not stored with the snapshots.
     *
     * @param seen the version that the caller saw, if it matters to it
     * @throws Problem {@code name_taken}, {@code precondition_failed}
     */
    public Project change(ProjectId id, UnaryOperator<ProjectTerms> change, OptionalLong seen) {
        var project = locked(id).orElseThrow(() -> gone(id));
        Precondition.require(seen, project.version(), "Project " + id);
        var before = project.terms();
        var terms = change.apply(before);
        requireFree(terms, Optional.of(id));
        project.agree(terms);
        settle(terms);
        audit.done(told(Action.PROJECT_CHANGE, project).with("before", summary(before)));
        return project;
    }

    /** From now on its keys are refused and nothing new is accepted. False if it was closed. */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public boolean close(ProjectId id, Principal by) {
        var project = locked(id).orElseThrow(() -> gone(id));
        var closed = project.close(by, time.now());
        if (closed) {
            em.flush();
            audit.done(told(Action.PROJECT_CLOSE, project).by(by.text()));
        }
        return closed;
    }

    /** Its keys are taken again. False if it was open. */
    public boolean reopen(ProjectId id, Principal by) {
        var project = locked(id).orElseThrow(() -> gone(id));
        var reopened = project.reopen();
        if (reopened) {
            em.flush();
            audit.done(told(Action.PROJECT_REOPEN, project).by(by.text()));
        }
        return reopened;
    }

    /**
     * Keeps a project from being reopened until the caller's transaction ends.
     *
     * @throws Problem {@code project_not_closed}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void requireClosed(ProjectId id) {
        if (!locked(id).orElseThrow(() -> gone(id)).isClosed()) {
            throw new Problem(
                    Reason.PROJECT_NOT_CLOSED,
                    "Project " + id + " is open. Only a closed project is purged; close it first.");
        }
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
        return change(
                id,
                terms -> terms.keeping(retention, terms.longestRetention()),
                OptionalLong.empty());
    }

    /** For how long what is deleted from now on can be brought back; what was, as it was said. */
    public Project keepTrashFor(ProjectId id, Duration trash) {
        var project = locked(id).orElseThrow(() -> gone(id));
        audit.done(
                told(Action.PROJECT_CHANGE, project)
                        .with("trash", trash)
                        .with("trashBefore", project.trash()));
        project.keepTrashFor(trash);
        return project;
    }

    /** Of two who want it at this moment the index lets one have it. */
    private void settle(ProjectTerms terms) {
        try {
            em.flush();
        } catch (ConstraintViolationException e) {
            throw SLUG_INDEX.equals(e.getConstraintName()) ? taken(terms) : e;
        }
    }

    private void requireFree(ProjectTerms terms, Optional<ProjectId> own) {
        var holder = terms.slug().flatMap(this::find).map(Project::id);
        if (holder.isPresent() && !holder.equals(own)) {
            throw taken(terms);
        }
    }

    private static Problem taken(ProjectTerms terms) {
        return new Problem(
                Reason.NAME_TAKEN,
                "The slug "
                        + terms.slug().orElseThrow()
                        + " belongs to another project. Choose another one.");
    }

    private Optional<Project> locked(ProjectId id) {
        return Optional.ofNullable(
                em.find(Project.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }

    private static void requireOpen(Project project) {
        if (project.isClosed()) {
            var closed = Recognition.closed();
            throw new Problem(closed.reason(), closed.why());
        }
    }

    private static Deed told(Action action, Project project) {
        return Deed.of(action, Subject.project(project.id()))
                .in(project.id().value())
                .with("terms", summary(project.terms()));
    }

    /** For people; the numbers are what matters when somebody asks who changed a limit. */
    private static String summary(ProjectTerms terms) {
        return "name=%s slug=%s plan=%s service=%s retention=%s audit=%s"
                .formatted(
                        terms.name(),
                        terms.slug().map(Slug::value).orElse("-"),
                        summary(terms.plan()),
                        terms.serviceLimit().map(Projects::summary).orElse("-"),
                        terms.retention().map(Duration::toString).orElse("-"),
                        terms.auditRetention().map(Duration::toString).orElse("-"));
    }

    private static String summary(Allowance allowance) {
        return "%d/%d/%d/%s"
                .formatted(
                        allowance.bytes(),
                        allowance.snapshots(),
                        allowance.liveSandboxes(),
                        allowance.longestLifetime());
    }

    private static IllegalStateException gone(ProjectId id) {
        return new IllegalStateException("No project " + id);
    }
}
