package dev.holdfast.retention;

import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.problem.Precondition;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The versions of projects' retention policies. */
@Stateless
public class Policies {

    /** For how long somebody has seen what would go. */
    private static final Duration FRESH = Duration.ofHours(1);

    /** A project and what rules it. */
    public record Ruled(Project project, Regime regime) {}

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Reviews reviews;

    /** The version that rules what is saved now; empty: none, so all is kept. */
    public Optional<Edition> current(ProjectId project) {
        return editions(project, OptionalLong.empty(), 1).stream().findFirst();
    }

    /**
     * The latest first.
     *
     * @param before only those before this number
     */
    public List<Edition> editions(ProjectId project, OptionalLong before, int limit) {
        return em.createQuery(
                        "select e from Edition e where e.projectId = :project"
                                + " and e.number < :before order by e.number desc",
                        Edition.class)
                .setParameter("project", project.value())
                .setParameter("before", (int) before.orElse(Integer.MAX_VALUE))
                .setMaxResults(limit)
                .getResultList();
    }

    /** The versions that rule now. */
    public Regime regime(ProjectId project) {
        return regime(project, Instant.parse("9999-01-01T00:00:00Z"));
    }

    /**
     * The same with the project, in one statement.
     *
     * @param project one that is there
     */
    public Ruled ruled(ProjectId project) {
        List<Object[]> rows =
                em.createQuery(
                                "select p, e from Project p left join Edition e"
                                        + " on e.projectId = p.id and e.number >= (select"
                                        + " coalesce(max(n.number), 0) from Edition n"
                                        + " where n.projectId = p.id and n.since = :always)"
                                        + " where p.id = :project",
                                Object[].class)
                        .setParameter("project", project.value())
                        .setParameter("always", Instant.EPOCH)
                        .getResultList();
        return new Ruled(
                (Project) rows.get(0)[0],
                new Regime(
                        rows.stream()
                                .filter(row -> row[1] != null)
                                .map(row -> ((Edition) row[1]).version())
                                .toList()));
    }

    /** Those that ruled at a moment. */
    public Regime regime(ProjectId project, Instant at) {
        return new Regime(
                em.createQuery(
                                // One that covers what exists has replaced all before it.
                                "select e from Edition e where e.projectId = :project"
                                        + " and e.createdAt <= :at and e.number >= (select"
                                        + " coalesce(max(n.number), 0) from Edition n"
                                        + " where n.projectId = :project and n.since = :always"
                                        + " and n.createdAt <= :at)",
                                Edition.class)
                        .setParameter("project", project.value())
                        .setParameter("at", at)
                        .setParameter("always", Instant.EPOCH)
                        .getResultStream()
                        .map(Edition::version)
                        .toList());
    }

    /** The projects that have a policy, in the order of their IDs. */
    public List<ProjectId> ruled() {
        return em.createQuery(
                        "select distinct e.projectId from Edition e order by e.projectId",
                        UUID.class)
                .getResultStream()
                .map(ProjectId::new)
                .toList();
    }

    /**
     * Makes a policy the next version. Unless it says so it rules only what is saved from now on.
     *
     * @param previewed what the preview of it gave; needed where it shall rule what exists
     * @param seen the number of the version that the caller saw, if it matters to it
     * @throws Problem {@code invalid_parameter} for what nobody has looked at; {@code
     *     concurrent_change} when more would go than were seen; {@code precondition_failed}
     */
    public Edition adopt(
            ProjectId project,
            Proposal proposal,
            Optional<String> previewed,
            String by,
            OptionalLong seen) {
        projects.lock(project);
        Instant now = time.now();
        Regime before = regime(project);
        Precondition.require(seen, before.latest(), "The policy");
        if (proposal.existing()) {
            requireSeen(project, proposal.upon(before, now), previewed, now);
        } else if (before.versions().size() >= Regime.MOST) {
            throw Problem.invalid(
                    "applyToExisting",
                    Regime.MOST
                            + " versions rule side by side, and there may be no more of them. Let"
                            + " this one apply to what exists.");
        }
        Edition next = new Edition(project, proposal.version(before.latest() + 1, now), now, by);
        em.persist(next);
        audit.done(
                Deed.of(Action.RETENTION_CHANGE, Subject.project(project))
                        .in(project.value())
                        .with("version", next.version().number())
                        .with("applyToExisting", proposal.existing())
                        .with("policy", PolicyConverter.json(proposal.policy())));
        events.publish(
                new Event(Event.project(project), "RETENTION_VERSION_" + next.version().number()));
        return next;
    }

    /** Asked of the moment that somebody looked at: what was saved since pushes nothing out. */
    private void requireSeen(
            ProjectId project, Regime regime, Optional<String> previewed, Instant now) {
        String token =
                previewed.orElseThrow(
                        () ->
                                Problem.invalid(
                                        "previewed",
                                        "A policy that shall apply to what exists is looked at"
                                                + " first: its preview tells what would go and"
                                                + " gives \"previewed\", which allows it."));
        Seen seen = Seen.read("previewed", token, Seen.about(project, regime));
        if (seen.at().isBefore(now.minus(FRESH)) || seen.at().isAfter(now)) {
            throw Problem.invalid(
                    "previewed", "That preview is older than an hour. Look at a new one.");
        }
        long going = reviews.count(project, regime, seen.at());
        if (going > seen.count()) {
            throw new Problem(
                            Reason.CONCURRENT_CHANGE,
                            "Now "
                                    + going
                                    + " would go, and "
                                    + seen.count()
                                    + " did when you looked. Look again; nothing was changed.")
                    .with("previewed", seen.count())
                    .with("going", going);
        }
    }
}
