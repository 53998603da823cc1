package dev.holdfast.autosave;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.capture.AutoCaptures;
import dev.holdfast.capture.AutoOrder;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Labels;
import dev.holdfast.snapshot.Operation;
import dev.holdfast.snapshot.OperationState;
import dev.holdfast.snapshot.Operations;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.worker.Overdue;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The policies of sandboxes. Each method is one transaction that locks the policy's row before
 * anything else, so of two that would capture for the same cause the second finds it done.
 */
@Stateless
public class Autosaves {

    /** What people find the captures of a cause by; what is kept does not depend on it. */
    static final String LABEL = "holdfast/cause";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject AutoCaptures captures;
    @Inject AutosaveConfig config;
    @Inject Events events;
    @Inject Operations operations;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject DatabaseTime time;

    /**
     * Gives a sandbox a policy in place of the one it has.
     *
     * @throws Problem {@code sandbox_not_found}, {@code permission_missing}, {@code
     *     generation_unsupported}, {@code invalid_parameter}
     */
    public Report set(Actor actor, SandboxId id, CapturePolicy policy) {
        ProjectId project = actor.project();
        Optional<Autosave> known = lockedOrFirst(project, id);
        Sandbox sandbox = sandboxes.getLive(project, id);
        requireTheirs(actor, sandbox, known);
        requireAllowed(sandbox, policy);
        Autosave autosave = known.orElseGet(() -> new Autosave(project, id));
        autosave.set(policy, actor.principal().text(), time.now(), chance());
        em.persist(autosave);
        audit.done(
                deed(Action.CAPTURE_POLICY_SET, project, id)
                        .with("every", policy.interval().orElse(null))
                        .with("atTimeout", policy.atTimeout())
                        .with("onKill", policy.onKill())
                        .with("memoryPercent", policy.memoryPercent())
                        .with("keepLast", policy.keepLast())
                        .with("retention", policy.retention().orElse(null)));
        em.flush();
        return report(autosave, sandbox);
    }

    /** Of two that give a sandbox its first policy the second finds that of the first. */
    private Optional<Autosave> lockedOrFirst(ProjectId project, SandboxId id) {
        Optional<Autosave> known = locked(id);
        if (known.isPresent()) {
            return known;
        }
        sandboxes.lock(project, id);
        return locked(id);
    }

    /** What a policy keeps decides what is deleted: of others' it takes who may end those. */
    private void requireTheirs(Actor actor, Sandbox sandbox, Optional<Autosave> known) {
        String who = actor.principal().text();
        boolean theirs =
                sandbox.createdBy().equals(who)
                        || known.map(Autosave::setBy).filter(who::equals).isPresent();
        if (!theirs) {
            actor.require(Permission.SANDBOXES_MANAGE);
        }
    }

    private void requireAllowed(Sandbox sandbox, CapturePolicy policy) {
        if (sandbox.generation() < 2) {
            throw new Problem(
                    Reason.GENERATION_UNSUPPORTED,
                    "Sandbox "
                            + sandbox.id()
                            + " is of generation 1 and cannot be captured. Make one from a template"
                            + " of generation 2 for that.");
        }
        policy.interval()
                .filter(every -> every.compareTo(config.shortest()) < 0)
                .ifPresent(
                        every -> {
                            throw Problem.invalid(
                                    "every",
                                    "\"every\" is a number of seconds from "
                                            + config.shortest().toSeconds()
                                            + " to "
                                            + CapturePolicy.LONGEST_INTERVAL.toSeconds()
                                            + ".");
                        });
        policy.retention().ifPresent(asked -> retentions.requireAllowed(sandbox.project(), asked));
    }

    /**
     * Takes a sandbox's policy away; its captures stay until they expire, whatever the next one
     * keeps.
     *
     * @throws Problem {@code sandbox_not_found}, {@code permission_missing}
     */
    public void remove(Actor actor, SandboxId id) {
        ProjectId project = actor.project();
        Sandbox sandbox = sandboxes.get(project, id);
        Optional<Autosave> known = locked(id);
        requireTheirs(actor, sandbox, known);
        known.ifPresent(
                autosave -> {
                    em.remove(autosave);
                    em.createQuery("delete from AutosaveCapture c where c.sandboxId = :sandbox")
                            .setParameter("sandbox", id.value())
                            .executeUpdate();
                    audit.done(deed(Action.CAPTURE_POLICY_REMOVE, project, id));
                });
    }

    /**
     * The policy of a sandbox, also of one that has ended.
     *
     * @throws Problem {@code sandbox_not_found}
     */
    public Optional<Report> report(ProjectId project, SandboxId id) {
        return report(sandboxes.get(project, id));
    }

    /** The same for whoever has the sandbox. */
    public Optional<Report> report(Sandbox sandbox) {
        return Optional.ofNullable(em.find(Autosave.class, sandbox.id().value()))
                .map(autosave -> report(autosave, sandbox));
    }

    private Report report(Autosave autosave, Sandbox sandbox) {
        return new Report(
                autosave,
                last(autosave),
                em.createQuery(
                                "select count(c) from AutosaveCapture c, Snapshot s"
                                        + " where c.sandboxId = :sandbox and s.id = c.snapshotId"
                                        + " and s.state = :saved and s.expiresAt > :now",
                                Long.class)
                        .setParameter("sandbox", autosave.sandbox().value())
                        .setParameter("saved", SnapshotState.SAVED)
                        .setParameter("now", time.now())
                        .getSingleResult(),
                sandbox.state() != SandboxState.ENDED);
    }

    /** How the last capture of a policy stands; empty when nothing is known of it. */
    public Optional<OperationState> lastState(Autosave autosave) {
        return last(autosave).map(Operation::state);
    }

    private Optional<Operation> last(Autosave autosave) {
        return autosave.lastUpload().flatMap(upload -> operations.find(autosave.project(), upload));
    }

    /** The policies of those of the sandboxes that have one. */
    public List<Autosave> of(Collection<SandboxId> ids) {
        return ids.isEmpty()
                ? List.of()
                : em.createQuery(
                                "select a from Autosave a where a.sandboxId in :ids"
                                        + " order by a.nextAt, a.sandboxId",
                                Autosave.class)
                        .setParameter("ids", ids.stream().map(SandboxId::value).toList())
                        .getResultList();
    }

    /** How many captures of their policies these have under way. */
    public long underWay(Collection<SandboxId> ids) {
        return em.createQuery(
                        "select count(a) from Autosave a, Snapshot s where a.sandboxId in :ids"
                                + " and s.uploadId = a.uploadId and s.state = :uploading",
                        Long.class)
                .setParameter("ids", ids.stream().map(SandboxId::value).toList())
                .setParameter("uploading", SnapshotState.UPLOADING)
                .getSingleResult();
    }

    /** Whether a sandbox has a policy for that; looks only. */
    public boolean isFor(SandboxId id, Cause cause) {
        return Optional.ofNullable(em.find(Autosave.class, id.value()))
                .filter(autosave -> autosave.policy().isFor(cause))
                .isPresent();
    }

    /** Whether a sandbox's policy made that capture, the last one; looks only. */
    public boolean hasBegun(SandboxId id, UploadId upload) {
        return Optional.ofNullable(em.find(Autosave.class, id.value()))
                .flatMap(Autosave::lastUpload)
                .filter(upload::equals)
                .isPresent();
    }

    /**
     * Captures a sandbox if its policy wants that now.
     *
     * @return false when it is not the time
     * @throws Problem when the capture is not taken; nothing is changed then
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public boolean capture(Occasion occasion) {
        Instant now = time.now();
        Optional<Autosave> wanting =
                locked(occasion.sandbox())
                        .filter(each -> each.wants(occasion.cause(), now, config.alarmPause()))
                        .filter(each -> occasion.due().filter(due -> !isToEnd(due)).isEmpty());
        wanting.ifPresent(autosave -> capture(autosave, occasion, now));
        return wanting.isPresent();
    }

    private boolean isToEnd(Overdue due) {
        return sandboxes.lockIfToEnd(due.sandbox(), due.idle()).isPresent();
    }

    private void capture(Autosave autosave, Occasion occasion, Instant now) {
        Cause cause = occasion.cause();
        Snapshot snapshot =
                captures.accept(
                        new AutoOrder(
                                autosave.project(),
                                autosave.sandbox(),
                                autosave.policy().retention(),
                                new Labels(Map.of(LABEL, cause.word())),
                                occasion.end()));
        em.persist(new AutosaveCapture(snapshot.id(), autosave.sandbox(), cause));
        autosave.began(cause, snapshot.upload(), now, chance());
    }

    /** A capture was not taken: that is told and remembered, and the time for it is over. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void refused(SandboxId id, Cause cause, Problem problem) {
        locked(id)
                .ifPresent(
                        autosave -> {
                            autosave.refused(cause, problem, time.now(), chance());
                            events.publish(
                                    new Event(
                                            Event.sandbox(id),
                                            "CAPTURE_SKIPPED",
                                            Notice.of(
                                                            EventType.SANDBOX_CAPTURE_SKIPPED,
                                                            id,
                                                            autosave.project().value())
                                                    .with("cause", cause.word())
                                                    .with("reason", problem.reason().word())
                                                    .with("detail", problem.getMessage())));
                        });
    }

    /** Its interval is over and nothing has changed: the next one begins. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void unchanged(SandboxId id) {
        Instant now = time.now();
        locked(id)
                .filter(autosave -> autosave.wants(Cause.INTERVAL, now, config.alarmPause()))
                .ifPresent(autosave -> autosave.skip(now, chance()));
    }

    private Optional<Autosave> locked(SandboxId id) {
        return Optional.ofNullable(
                em.find(Autosave.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }

    private Deed deed(Action action, ProjectId project, SandboxId id) {
        return Deed.of(action, Subject.sandbox(id)).in(project.value());
    }

    private double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
