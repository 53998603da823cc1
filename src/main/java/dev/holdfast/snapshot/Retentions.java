package dev.holdfast.snapshot;

import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.problem.Problem;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * How long snapshots are kept: what their capture asks for, else what their project has set, else
 * what the service has, and no longer than the project may keep any. A later change of policy
 * touches none that exists.
 */
@Stateless
public class Retentions {

    private static final String TO_WARN_OF =
            "select id from snapshot where kind in "
                    + Kind.LISTED
                    + " and state = 'SAVED'"
                    + " and expires_at > :now and expires_at <= :until"
                    + " and (expiry_warned_seconds is null or expiry_warned_seconds > :ahead)"
                    // One that lives shorter than that was saved with its end in sight.
                    + " and extract(epoch from expires_at - saved_at) > :ahead"
                    + " %s order by expires_at";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
    @Inject RetentionConfig config;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Snapshots snapshots;

    /**
     * What a snapshot that is being saved gets. What its capture asks for was allowed when that was
     * accepted; the others may be longer than the project may keep any by now.
     *
     * @param service what the service has
     */
    public Duration of(Snapshot snapshot, Duration service) {
        Project project = projects.get(snapshot.project());
        return snapshot.retention()
                .orElseGet(() -> shorter(project.retention().orElse(service), longest(project)));
    }

    private Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration longest(Project project) {
        return project.longestRetention().orElse(config.longest());
    }

    /**
     * Keeps what a capture asks for until it is saved; called in the transaction that accepts it.
     *
     * @throws Problem {@code invalid_parameter} for longer than the project may keep any
     */
    public void ask(Snapshot accepted, Duration retention) {
        requireAllowed("retention", projects.get(accepted.project()), retention);
        accepted.retain(retention);
    }

    /** The same for what nobody waits for: what is too long is as long as it may be. */
    public void askAtMost(Snapshot accepted, Duration retention) {
        accepted.retain(shorter(retention, longest(projects.get(accepted.project()))));
    }

    /**
     * Whether a snapshot of a project may be kept for so long.
     *
     * @throws Problem {@code invalid_parameter}
     */
    public void requireAllowed(ProjectId project, Duration retention) {
        requireAllowed("retention", projects.get(project), retention);
    }

    /**
     * Gives a snapshot another expiry, sooner or later.
     *
     * @param seen the version that the caller saw, if it matters to it
     * @throws Problem what became of one that is no more; {@code invalid_parameter} for a moment in
     *     the past or beyond the policy; {@code precondition_failed}
     */
    public Snapshot expire(ProjectId project, SnapshotId id, NewExpiry expiry, OptionalLong seen) {
        Snapshot snapshot = snapshots.lockAskedFor(project, id);
        Instant now = time.now();
        snapshot.requireUsable(now);
        snapshot.requireVersion(seen);
        Instant saved = snapshot.savedAt().orElseThrow();
        Instant asked = expiry.fromSaving().apply(saved).truncatedTo(ChronoUnit.MICROS);
        if (!asked.isAfter(now)) {
            throw invalid(
                    expiry.parameter(),
                    "An expiry lies in the future; delete the snapshot to be rid of it.");
        }
        requireNotLonger(expiry.parameter(), projects.get(project), Duration.between(saved, asked));
        audit.done(
                Deeds.of(Action.SNAPSHOT_CHANGE, snapshot)
                        .with("expiresAt", asked)
                        .with("before", snapshot.expiresAt().orElse(null)));
        snapshot.expireAt(asked);
        em.flush();
        changes.tell(snapshot);
        return snapshot;
    }

    /**
     * How long a project's snapshots are kept that are saved from now on.
     *
     * @param retention empty: as long as the service has it
     * @throws Problem {@code invalid_parameter} for longer than it may keep any
     */
    public Project setPolicy(ProjectId project, Optional<Duration> retention) {
        retention.ifPresent(
                asked -> requireAllowed("retentionSeconds", projects.get(project), asked));
        return projects.keepSnapshotsFor(project, retention);
    }

    /**
     * For how long what is deleted or expires from now on can be brought back.
     *
     * @param trash zero: not at all
     * @throws Problem {@code invalid_parameter} for longer than it may be
     */
    public Project setTrash(ProjectId project, Duration trash) {
        if (trash.isNegative() || trash.compareTo(config.longestTrash()) > 0) {
            throw invalid(
                    "trashSeconds",
                    "What is deleted can be brought back for at most "
                            + config.longestTrash().toSeconds()
                            + " seconds; 0 is not at all.");
        }
        return projects.keepTrashFor(project, trash);
    }

    /**
     * Whether what a project has been set to keep snapshots for may be.
     *
     * @throws Problem {@code invalid_parameter} for longer than it may keep any
     */
    public void requirePolicy(Project project) {
        project.retention().ifPresent(asked -> requireAllowed("retentionSeconds", project, asked));
    }

    /** Those that somebody is to be warned of, once for each distance that is set. */
    public List<SnapshotId> toWarnOf(int limit) {
        return config.warnings().stream()
                .flatMap(ahead -> expiring(ahead, Optional.empty(), limit).stream())
                .distinct()
                .limit(limit)
                .toList();
    }

    /** Warns of one, of the shortest distance that is due alone. */
    public void warn(SnapshotId id) {
        config.warnings().stream()
                .filter(ahead -> !expiring(ahead, Optional.of(id), 1).isEmpty())
                .findFirst()
                .ifPresent(
                        ahead ->
                                snapshots
                                        .lock(id)
                                        .filter(snapshot -> snapshot.warn(ahead))
                                        .ifPresent(snapshot -> tell(snapshot, ahead)));
    }

    private void tell(Snapshot snapshot, Duration ahead) {
        events.publish(Notices.expiring(snapshot, ahead));
    }

    private List<SnapshotId> expiring(Duration ahead, Optional<SnapshotId> only, int limit) {
        Instant now = time.now();
        Query query =
                em.createNativeQuery(
                        TO_WARN_OF.formatted(only.isPresent() ? "and id = :id" : ""), UUID.class);
        only.ifPresent(id -> query.setParameter("id", id.value()));
        List<?> rows =
                query.setParameter("now", now)
                        .setParameter("until", now.plus(ahead))
                        .setParameter("ahead", ahead.toSeconds())
                        .setMaxResults(limit)
                        .getResultList();
        return rows.stream().map(row -> new SnapshotId((UUID) row)).toList();
    }

    private void requireAllowed(String parameter, Project project, Duration retention) {
        if (retention.compareTo(Duration.ofSeconds(1)) < 0) {
            throw invalid(parameter, "A snapshot is kept for at least a second.");
        }
        requireNotLonger(parameter, project, retention);
    }

    private void requireNotLonger(String parameter, Project project, Duration retention) {
        if (retention.compareTo(longest(project)) > 0) {
            throw invalid(
                    parameter,
                    "A snapshot of this project is kept for at most "
                            + longest(project).toSeconds()
                            + " seconds after it was saved.");
        }
    }

    private Problem invalid(String parameter, String rule) {
        return Problem.invalid(parameter, rule);
    }
}
