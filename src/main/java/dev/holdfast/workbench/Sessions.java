package dev.holdfast.workbench;

import dev.holdfast.access.Actor;
import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.restore.Restores;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.volume.Wishes;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The sessions of the Workbench: sandboxes that people opened in it. */
@Stateless
public class Sessions {

    /** More than one person keeps apart. */
    private static final int MOST = 50;

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;
    @Inject Restores restores;
    @Inject Sandboxes sandboxes;

    /** A session and the sandbox it is. */
    public record Opened(Session session, Sandbox sandbox, Optional<String> heldBy) {}

    /**
     * Has a sandbox made from a template or a snapshot, with what a profile sets. Nothing is given
     * up for it: which session a tab has open is the tab's to say.
     *
     * @param mounting the volumes that a session from a template is to see
     * @throws Problem as a restore or a create is refused
     */
    public SandboxId open(
            Actor actor,
            Optional<String> slug,
            String reference,
            Wishes mounting,
            Profile profile) {
        SandboxId id = restores.open(actor, slug, profile.opening(reference, mounting));
        em.persist(
                new Session(
                        actor.project(),
                        id,
                        Optional.of(profile.name()),
                        actor.principal().text(),
                        time.now()));
        return id;
    }

    /** Those whose sandboxes have not ended, the newest first, no more than a page. */
    public List<Opened> list(ProjectId project) {
        return em
                .createQuery(
                        "select w from Session w, Sandbox s where s.id = w.sandboxId"
                                + " and w.projectId = :project and s.state <> :ended"
                                + " order by w.openedAt desc",
                        Session.class)
                .setParameter("project", project.value())
                .setParameter("ended", SandboxState.ENDED)
                .setMaxResults(MOST)
                .getResultList()
                .stream()
                .map(session -> opened(session, sandboxes.get(project, session.sandbox())))
                .toList();
    }

    /**
     * A sandbox of the project as a session, whatever its state and wherever it was made.
     *
     * @throws Problem {@code sandbox_not_found}
     */
    public Opened get(ProjectId project, SandboxId id) {
        Sandbox sandbox = sandboxes.get(project, id);
        return Optional.ofNullable(em.find(Session.class, id.value()))
                .map(session -> opened(session, sandbox))
                .orElseGet(() -> elsewhere(sandbox));
    }

    /**
     * A tab has a session open, or wants to.
     *
     * @throws Problem {@code sandbox_not_found}; {@code session_elsewhere}
     */
    public Opened hold(Actor actor, SandboxId id, UUID tab, boolean takes) {
        Sandbox sandbox = sandboxes.get(actor.project(), id);
        String who = actor.principal().text();
        Session session = locked(id).orElseGet(() -> made(sandbox, who));
        session.hold(tab, who, takes, time.now());
        return new Opened(session, sandbox, Optional.of(who));
    }

    /** A tab was closed, or has given the session up. */
    public void release(ProjectId project, SandboxId id, UUID tab) {
        sandboxes.get(project, id);
        locked(id).ifPresent(session -> session.release(tab));
    }

    /**
     * So much longer from now on, if that is longer.
     *
     * @throws Problem {@code sandbox_not_found}; {@code sandbox_busy}
     */
    public Opened extend(ProjectId project, SandboxId id, Duration lifetime) {
        sandboxes.extend(project, id, lifetime);
        return get(project, id);
    }

    /** Of two tabs that come at once the second waits at the sandbox's row and finds it made. */
    private Session made(Sandbox sandbox, String by) {
        sandboxes.lock(sandbox.project(), sandbox.id());
        return locked(sandbox.id())
                .orElseGet(
                        () -> {
                            Session session =
                                    new Session(
                                            sandbox.project(),
                                            sandbox.id(),
                                            Optional.empty(),
                                            by,
                                            time.now());
                            em.persist(session);
                            return session;
                        });
    }

    private Optional<Session> locked(SandboxId id) {
        return Optional.ofNullable(
                em.find(Session.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }

    private Opened elsewhere(Sandbox sandbox) {
        Session session =
                new Session(
                        sandbox.project(),
                        sandbox.id(),
                        Optional.empty(),
                        sandbox.createdBy(),
                        sandbox.createdAt());
        return new Opened(session, sandbox, Optional.empty());
    }

    private Opened opened(Session session, Sandbox sandbox) {
        return new Opened(session, sandbox, session.heldBy(time.now()));
    }
}
