package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.RuntimeRequest.Operation;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.exception.ConstraintViolationException;

/**
 * The sandboxes we know. Each method is one transaction that locks the row it changes, so of two
 * writers the second sees what the first left.
 */
@Stateless
public class Sandboxes {

    /** So long a worker has to hear what it is to do; then it looks by itself. */
    private static final Duration HEARD = Duration.ofSeconds(10);

    private static final String KEY = "sandbox_pkey";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject RuntimeRequests requests;
    @Inject Workers workers;

    /**
     * Writes down a sandbox and asks its worker to start it. Rows of sandboxes that ended stay, so
     * no ID is used twice.
     *
     * @throws Problem {@code sandbox_id_taken}
     */
    public void order(SandboxOrder order, String worker) {
        if (em.find(Sandbox.class, order.id().value()) != null) {
            throw taken(order.id());
        }
        Sandbox made = new Sandbox(order, worker, time.now());
        try {
            em.persist(made);
            em.flush();
        } catch (ConstraintViolationException e) {
            if (KEY.equals(e.getConstraintName())) {
                throw taken(order.id());
            }
            throw e;
        }
        requests.send(new RuntimeRequest(Operation.START, order.id(), worker));
        audit.done(Deeds.made(order));
        tell(made);
    }

    /**
     * What an order made when it was given the first time. Asked under the project's lock.
     *
     * @throws dev.holdfast.problem.Problem {@code idempotency_key_reused} for another order's key
     */
    public Optional<SandboxId> ordered(ProjectId project, Idempotency order) {
        Optional<Sandbox> known =
                em.createQuery(
                                "select s from Sandbox s where s.projectId = :project"
                                        + " and s.idempotency.key = :key",
                                Sandbox.class)
                        .setParameter("project", project.value())
                        .setParameter("key", order.key())
                        .getResultStream()
                        .findFirst();
        known.flatMap(Sandbox::idempotency).ifPresent(order::requireSame);
        return known.map(Sandbox::id);
    }

    /** A sandbox of the project, whatever its state. */
    public Sandbox get(ProjectId project, SandboxId id) {
        return Optional.ofNullable(em.find(Sandbox.class, id.value()))
                .filter(sandbox -> sandbox.project().equals(project))
                .orElseThrow(() -> Sandbox.notFound(id.value()));
    }

    /** A sandbox of the project that has not ended. */
    public Sandbox getLive(ProjectId project, SandboxId id) {
        Sandbox sandbox = get(project, id);
        if (sandbox.state() == SandboxState.ENDED) {
            throw sandbox.ended();
        }
        return sandbox;
    }

    public Optional<Sandbox> find(SandboxId id) {
        return Optional.ofNullable(em.find(Sandbox.class, id.value()));
    }

    /** Those of the machines that a sandbox calls its own. */
    public List<String> machinesNamed(List<String> machines) {
        return em.createQuery(
                        "select s.machineId from Sandbox s where s.machineId in :machines",
                        String.class)
                .setParameter("machines", machines)
                .getResultList();
    }

    /** Those that have a machine on a worker, or are to get one. */
    public List<SandboxId> running(String worker) {
        return ofWorker(worker).stream()
                .filter(sandbox -> sandbox.state() != SandboxState.PAUSED)
                .map(Sandbox::id)
                .toList();
    }

    /** The newest of those that run on other workers than this. */
    public List<SandboxId> runningElsewhere(String worker, int most) {
        return em.createQuery(
                        "select s.id from Sandbox s where s.state in :running"
                                + " and s.workerId <> :worker order by s.createdAt desc",
                        String.class)
                .setParameter("running", SandboxQuery.RUNNING)
                .setParameter("worker", worker)
                .setMaxResults(most)
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /**
     * Its worker is lost: what was to go on stays paused, whatever else needs a machine has ended.
     * One that goes on elsewhere by now is left alone, and so is all that a worker ran that has
     * come back and has adopted it.
     */
    public void lose(SandboxId id, String worker) {
        if (!workers.isLost(worker)) {
            return;
        }
        locked(id)
                .filter(sandbox -> sandbox.lose(worker, time.now()))
                .ifPresent(this::endedOrPaused);
    }

    public List<Sandbox> ofWorker(String worker) {
        return em.createQuery(
                        "select s from Sandbox s where s.workerId = :worker and s.state <> :ended",
                        Sandbox.class)
                .setParameter("worker", worker)
                .setParameter("ended", SandboxState.ENDED)
                .getResultList();
    }

    /** How many of a project's sandboxes have not ended; a paused one can go on at any time. */
    public long countLive(ProjectId project) {
        return em.createQuery(
                        "select count(s) from Sandbox s where s.projectId = :project"
                                + " and s.state <> :ended",
                        Long.class)
                .setParameter("project", project.value())
                .setParameter("ended", SandboxState.ENDED)
                .getSingleResult();
    }

    /**
     * Sandboxes of a worker that ended some time ago and whose machine nobody has reported gone.
     */
    public List<SandboxId> notGone(String worker) {
        return em.createQuery(
                        "select s.id from Sandbox s where s.workerId = :worker"
                                + " and s.state = :ended and s.machineId is not null"
                                + " and s.endedAt < :before",
                        String.class)
                .setParameter("worker", worker)
                .setParameter("ended", SandboxState.ENDED)
                .setParameter("before", time.now().minus(HEARD))
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /**
     * Sandboxes that a worker was to make a machine for some time ago and has not begun to, those
     * first that wait longest.
     */
    public List<SandboxId> notBegun(String worker) {
        return em.createQuery(
                        "select s.id from Sandbox s where s.workerId = :worker"
                                + " and s.state in :ordered and s.machineId is null"
                                + " and s.stateSince < :before order by s.stateSince",
                        String.class)
                .setParameter("worker", worker)
                .setParameter("ordered", List.of(SandboxState.STARTING, SandboxState.RESUMING))
                .setParameter("before", time.now().minus(HEARD))
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /** The live sandboxes that were made from a snapshot, or are going to be. */
    public List<SandboxId> occupantsOf(UUID snapshot) {
        return em.createQuery(
                        "select s.id from Sandbox s where (s.snapshotId = :snapshot"
                                + " or s.imageId = :snapshot)"
                                + " and s.state <> :ended order by s.createdAt, s.id",
                        String.class)
                .setParameter("snapshot", snapshot)
                .setParameter("ended", SandboxState.ENDED)
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /** Those of some snapshots that a live sandbox was made from, or is going to be. */
    public Set<UUID> occupied(Collection<UUID> snapshots) {
        Set<UUID> occupied = new HashSet<>();
        for (String column : List.of("snapshotId", "imageId")) {
            occupied.addAll(
                    em.createQuery(
                                    "select s.%1$s from Sandbox s where s.%1$s in :snapshots"
                                                    .formatted(column)
                                            + " and s.state <> :ended",
                                    UUID.class)
                            .setParameter("snapshots", snapshots)
                            .setParameter("ended", SandboxState.ENDED)
                            .getResultList());
        }
        return occupied;
    }

    /** The sandbox with its row locked until the end of the caller's transaction. */
    public Sandbox lock(ProjectId project, SandboxId id) {
        Sandbox sandbox = locked(id).orElseThrow(() -> Sandbox.notFound(id.value()));
        if (!sandbox.project().equals(project)) {
            throw Sandbox.notFound(id.value());
        }
        return sandbox;
    }

    /** Takes a sandbox for a capture; who calls also makes the snapshot row in this transaction. */
    public Sandbox beginCapture(ProjectId project, SandboxId id, UUID upload) {
        Sandbox sandbox = lock(project, id);
        sandbox.beginCapture(upload, time.now());
        workers.requireReachable(sandbox.worker());
        tell(sandbox);
        return sandbox;
    }

    /** Takes a sandbox for a pause; who calls also makes the row of its state. */
    public Sandbox beginPause(ProjectId project, SandboxId id, UUID upload) {
        Sandbox sandbox = lock(project, id);
        sandbox.beginPause(upload, time.now());
        workers.requireReachable(sandbox.worker());
        tell(sandbox);
        return sandbox;
    }

    /** The same because its worker is being drained. */
    public Sandbox beginDrain(ProjectId project, SandboxId id, UUID upload) {
        Sandbox sandbox = lock(project, id);
        sandbox.beginDrain(upload, time.now());
        tell(sandbox);
        return sandbox;
    }

    /** Somebody wants one paused that its worker's drain pauses; of another it changes nothing. */
    public void keepPaused(ProjectId project, SandboxId id) {
        Sandbox sandbox = lock(project, id);
        if (sandbox.isDrained()) {
            sandbox.keepPaused(time.now());
            tell(sandbox);
        }
    }

    /** Those that a drain has paused and whose lifetime is over. */
    public List<SandboxId> overdue() {
        return em.createQuery(
                        "select s.id from Sandbox s where s.drained = true"
                                + " and s.state = :paused and s.endAt <= :now",
                        String.class)
                .setParameter("paused", SandboxState.PAUSED)
                .setParameter("now", time.now())
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /** One of them with its row locked, if it is to end now. */
    public Optional<Sandbox> lockIfOverdue(SandboxId id) {
        return locked(id)
                .filter(sandbox -> sandbox.isOverdue(time.now()))
                .filter(sandbox -> !sandbox.lifecycle().onTimeout().pauses());
    }

    /** Ends one of them, or leaves it paused if that is what it is to be then. */
    public void endOverdue(SandboxId id) {
        locked(id)
                .filter(sandbox -> sandbox.isOverdue(time.now()))
                .ifPresent(
                        sandbox -> {
                            if (sandbox.lifecycle().onTimeout().pauses()) {
                                sandbox.keepPaused(time.now());
                                tell(sandbox);
                            } else {
                                end(id, EndReason.TIMEOUT, null);
                            }
                        });
    }

    /**
     * Takes a sandbox, whose row the caller has locked, to put another state in the place of its
     * own; who calls also makes the row of that.
     */
    public void beginReplacement(Sandbox sandbox, UUID upload, Replacement by) {
        sandbox.beginReplacement(upload, by, time.now());
        workers.requireReachable(sandbox.worker());
        audit.done(Deeds.replacement(sandbox).with("upload", upload));
        tell(sandbox);
    }

    /**
     * A capture is saved, and its source goes on: as it was, or from the state that takes the place
     * of what was saved.
     */
    public void captured(SandboxId id, UUID upload, UUID saved) {
        Optional<Sandbox> replaced =
                locked(id).filter(sandbox -> sandbox.replace(upload, saved, time.now()));
        replaced.ifPresentOrElse(this::goOn, () -> endCapture(id, upload));
    }

    /** What was done for it before is done, whether its worker is told now or not. */
    private void goOn(Sandbox sandbox) {
        requests.sendAfter(new RuntimeRequest(Operation.START, sandbox.id(), sandbox.worker()));
        tell(sandbox);
    }

    /**
     * Takes a sandbox for its last capture, with which it ends; who calls also makes the row of it.
     * A kill is written down now, when it is known from where it came: from here on nothing keeps
     * the sandbox.
     */
    public Sandbox beginParting(
            ProjectId project, SandboxId id, UUID upload, EndReason why, String actor) {
        Sandbox sandbox = lock(project, id);
        sandbox.beginParting(upload, why, actor, time.now());
        if (sandbox.isKilledWithCapture()) {
            audit.done(Deeds.killing(sandbox, actor).with("upload", upload));
        }
        tell(sandbox);
        return sandbox;
    }

    public void endCapture(SandboxId id, UUID upload) {
        locked(id)
                .filter(sandbox -> sandbox.upload().filter(upload::equals).isPresent())
                .ifPresent(
                        sandbox -> {
                            Optional<Deed> restore =
                                    Optional.of(sandbox)
                                            .filter(Sandbox::isReplaced)
                                            .map(Deeds::replacement);
                            sandbox.endCapture(upload, time.now());
                            restore.ifPresent(deed -> notKept(deed.with("upload", upload)));
                            endedOrPaused(sandbox);
                        });
    }

    /** Its state is saved; false when it ended meanwhile, and the state belongs to nobody. */
    public boolean paused(SandboxId id, UUID upload, UUID image) {
        Optional<Sandbox> paused =
                locked(id).filter(sandbox -> sandbox.paused(upload, image, time.now()));
        paused.ifPresent(this::tell);
        return paused.isPresent();
    }

    /** Asks a worker to let a paused sandbox go on; the caller has locked the row. */
    public void resume(
            Sandbox sandbox, String worker, Optional<Duration> lifetime, boolean fromDisk) {
        sandbox.resume(worker, lifetime, fromDisk, time.now());
        audit.done(Deeds.of(Action.SANDBOX_RESUME, sandbox));
        requests.send(new RuntimeRequest(Operation.START, sandbox.id(), worker));
        tell(sandbox);
    }

    /**
     * A worker takes the order; empty when it was taken or ended before.
     *
     * @param body what the saved state brings with it, of one that is made from one; another by now
     *     has an order of its own
     */
    public Optional<Sandbox> claim(
            SandboxId id, String worker, String machine, String runtimeBuild, Optional<Body> body) {
        Optional<Sandbox> claimed =
                locked(id)
                        .filter(
                                sandbox ->
                                        body.filter(each -> !sandbox.goesOnFrom(each.state()))
                                                .isEmpty())
                        .filter(sandbox -> sandbox.claim(worker, machine, runtimeBuild));
        claimed.ifPresent(sandbox -> body.ifPresent(sandbox::take));
        return claimed;
    }

    /**
     * Empty when the sandbox was ended or given up while its machine started.
     *
     * @param report of one that was made from a saved state
     */
    public Optional<Sandbox> started(SandboxId id, String machine, Optional<RestoreReport> report) {
        Optional<Sandbox> started =
                locked(id).filter(sandbox -> sandbox.started(machine, report, time.now()));
        started.ifPresent(this::tell);
        return started;
    }

    /** Its machine could not be made: a new sandbox ends, one that was to go on stays paused. */
    public void notStarted(SandboxId id, String why) {
        locked(id)
                .filter(sandbox -> sandbox.notStarted(why, time.now()))
                .ifPresent(this::endedOrPaused);
    }

    /** The same of one that was to go on as it was; one that is restored in place is left alone. */
    public void notResumed(SandboxId id, String why) {
        locked(id)
                .filter(sandbox -> !sandbox.isReplaced())
                .filter(sandbox -> sandbox.notStarted(why, time.now()))
                .ifPresent(this::endedOrPaused);
    }

    /**
     * A machine has ended or could not be started. A sandbox that no longer has it is left alone:
     * it may have been paused, or gone on elsewhere, while its old machine was still being looked
     * at.
     *
     * @param detail more about it, or null
     */
    public void lostMachine(SandboxId id, String machine, EndReason reason, String detail) {
        locked(id)
                .filter(sandbox -> sandbox.lostMachine(machine, reason, detail, time.now()))
                .ifPresent(this::endedOrPaused);
    }

    public void kill(ProjectId project, SandboxId id, String actor) {
        Sandbox sandbox = lock(project, id);
        sandbox.kill(actor, time.now());
        ended(sandbox);
    }

    /** Ends all of a project, whatever their state. */
    public void endAll(ProjectId project, EndReason reason, String actor) {
        Instant now = time.now();
        em
                .createQuery(
                        "select s from Sandbox s where s.projectId = :project"
                                + " and s.state <> :ended order by s.id",
                        Sandbox.class)
                .setParameter("project", project.value())
                .setParameter("ended", SandboxState.ENDED)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultList()
                .stream()
                .filter(sandbox -> sandbox.end(reason, null, actor, now))
                .toList()
                .forEach(this::ended);
    }

    /** What happened to a sandbox or became due; false when it had ended before. */
    public boolean end(SandboxId id, EndReason reason, String detail) {
        Optional<Sandbox> ended =
                locked(id).filter(sandbox -> sandbox.end(reason, detail, "system", time.now()));
        ended.ifPresent(this::ended);
        return ended.isPresent();
    }

    /** Gives a start up, and leaves one alone that came up meanwhile. */
    public boolean giveUp(SandboxId id, String detail) {
        return locked(id).filter(each -> each.state() == SandboxState.STARTING).isPresent()
                && end(id, EndReason.FAILED, detail);
    }

    /** Ends a sandbox whose lifetime is over, and leaves one alone that was extended meanwhile. */
    public boolean endIfDue(SandboxId id) {
        return locked(id).filter(this::isToEnd).isPresent() && end(id, EndReason.TIMEOUT, null);
    }

    /**
     * Ends a sandbox that has been idle for as long as it may be. Leaves one alone that does not
     * run, that is to be paused, or whose idle timeout was changed.
     */
    public boolean endIfIdle(SandboxId id, Duration seen) {
        return locked(id)
                        .filter(sandbox -> sandbox.isIdleAfter(seen))
                        .filter(sandbox -> !sandbox.lifecycle().onTimeout().pauses())
                        .isPresent()
                && end(id, EndReason.IDLE, null);
    }

    /** How long it may be idle from now on; empty: as long as it lives. */
    public Sandbox setIdleTimeout(ProjectId project, SandboxId id, Optional<Duration> idle) {
        Sandbox sandbox = lock(project, id);
        sandbox.setIdleTimeout(idle);
        audit.done(
                Deeds.of(Action.SANDBOX_CHANGE, sandbox)
                        .with("idleTimeout", idle.map(Duration::toString).orElse("none")));
        tell(sandbox);
        return sandbox;
    }

    /**
     * The sandbox, locked, if its time is over and it is to be paused then.
     *
     * @param idle for how long nobody has used it, if that is why
     */
    public Optional<Sandbox> lockIfToPause(SandboxId id, Optional<Duration> idle) {
        return lockIfOver(id, idle).filter(sandbox -> sandbox.lifecycle().onTimeout().pauses());
    }

    /** The same, if it is to end then. */
    public Optional<Sandbox> lockIfToEnd(SandboxId id, Optional<Duration> idle) {
        return lockIfOver(id, idle).filter(sandbox -> !sandbox.lifecycle().onTimeout().pauses());
    }

    private Optional<Sandbox> lockIfOver(SandboxId id, Optional<Duration> idle) {
        return locked(id)
                .filter(
                        sandbox ->
                                sandbox.isDue(time.now())
                                        || idle.filter(sandbox::isIdleAfter).isPresent());
    }

    private boolean isToEnd(Sandbox sandbox) {
        return sandbox.isDue(time.now()) && !sandbox.lifecycle().onTimeout().pauses();
    }

    /** Its machine is no more; only now is a sandbox that ended gone for good. */
    public void gone(SandboxId id) {
        locked(id)
                .ifPresent(
                        sandbox -> {
                            sandbox.gone();
                            tell(sandbox);
                        });
    }

    public Sandbox setLifetime(ProjectId project, SandboxId id, Duration lifetime) {
        Sandbox sandbox = lock(project, id);
        sandbox.setLifetime(lifetime, time.now());
        requireReachable(sandbox);
        tell(sandbox);
        return sandbox;
    }

    public Sandbox extend(ProjectId project, SandboxId id, Duration lifetime) {
        Sandbox sandbox = lock(project, id);
        sandbox.extend(lifetime, time.now());
        requireReachable(sandbox);
        tell(sandbox);
        return sandbox;
    }

    /**
     * @throws Problem {@code worker_unreachable} for one whose worker nobody hears of
     */
    public void requireReachable(Sandbox sandbox) {
        if (sandbox.isRunning()) {
            workers.requireReachable(sandbox.worker());
        }
    }

    private static Problem taken(SandboxId id) {
        return new Problem(
                        Reason.SANDBOX_ID_TAKEN,
                        "The sandbox ID "
                                + id
                                + " has been used, and no ID is used twice. Choose another one, or"
                                + " leave it out.")
                .with("sandboxID", id.value());
    }

    private void endedOrPaused(Sandbox sandbox) {
        switch (sandbox.state()) {
            case ENDED -> ended(sandbox);
            case RESUMING -> wentBack(sandbox);
            default -> tell(sandbox);
        }
    }

    /** What was to be replaced could not be kept first, so nothing was replaced. */
    private void notKept(Deed restore) {
        audit.failed(restore, Reason.CAPTURE_FAILED.word());
    }

    /** Another state did not come to run in the place of its own. */
    private void wentBack(Sandbox sandbox) {
        audit.failed(Deeds.wentBack(sandbox), Reason.START_FAILED.word());
        goOn(sandbox);
    }

    private void ended(Sandbox sandbox) {
        if (!sandbox.isKilledWithCapture()) {
            audit.done(Deeds.end(sandbox));
        }
        requests.sendAfter(new RuntimeRequest(Operation.KILL, sandbox.id(), sandbox.worker()));
        tell(sandbox);
    }

    private void tell(Sandbox sandbox) {
        events.publish(sandbox.takeEvent());
    }

    private Optional<Sandbox> locked(SandboxId id) {
        return Optional.ofNullable(
                em.find(Sandbox.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }
}
