package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.event.Events;
import dev.holdfast.sandbox.RuntimeRequest.Operation;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;

/**
 * Changes what running sandboxes may reach. The row comes first, its worker is told in the same
 * transaction and reports when the change is in force; one that cannot be put in force is taken
 * back. Each method locks the sandbox's row, so changes and reports come one after the other.
 */
@Stateless
public class NetworkChanges {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Sandboxes sandboxes;
    @Inject RuntimeRequests requests;
    @Inject Events events;

    /**
     * What a worker has to put in force.
     *
     * @param change empty when nobody waits for it
     */
    public record Wanted(Sandbox sandbox, Optional<Long> change) {}

    /**
     * Replaces what a sandbox may reach.
     *
     * @param egress whose ports are not looked at
     * @return the number to ask for the outcome with
     */
    public long ask(ProjectId project, SandboxId id, NetworkPolicy egress) {
        Sandbox sandbox = sandboxes.lock(project, id);
        NetworkPolicy before = sandbox.network();
        sandbox.changeNetwork(before.withEgressOf(egress));
        NetworkChange change = em.find(NetworkChange.class, id.value());
        if (change == null) {
            change = new NetworkChange(id);
            em.persist(change);
        }
        audit.done(Deeds.of(Action.SANDBOX_CHANGE, sandbox).with("changed", "network"));
        long number = change.ask(before);
        requests.send(new RuntimeRequest(Operation.NETWORK, id, sandbox.worker()));
        return number;
    }

    /** What the row wants of a machine now; empty for a sandbox without one. */
    public Optional<Wanted> wanted(SandboxId id) {
        // Locked, or a change that comes between the two reads would be reported for the policy
        // before it.
        return locked(id)
                .filter(sandbox -> sandbox.machine().isPresent())
                .map(
                        sandbox ->
                                new Wanted(
                                        sandbox,
                                        Optional.ofNullable(
                                                        em.find(NetworkChange.class, id.value()))
                                                .flatMap(NetworkChange::pending)));
    }

    /** A worker reports; false when the change was taken back meanwhile. */
    public boolean inForce(SandboxId id, long number, NetworkPolicy policy) {
        Optional<Sandbox> sandbox = locked(id);
        if (sandbox.isEmpty()) {
            return true;
        }
        tell(sandbox.get());
        return em.find(NetworkChange.class, id.value()).inForce(number, policy);
    }

    /** Takes a change back that is not in force, and has the worker put in force what was. */
    public void fail(SandboxId id, long number, String why) {
        locked(id).ifPresent(sandbox -> fail(sandbox, number, why));
    }

    /**
     * Empty while the change is under way.
     *
     * @throws dev.holdfast.problem.Problem {@code sandbox_not_found} when the sandbox has ended
     */
    public Optional<NetworkOutcome> outcome(ProjectId project, SandboxId id, long number) {
        sandboxes.getLive(project, id);
        return em.find(NetworkChange.class, id.value()).outcome(number);
    }

    private void fail(Sandbox sandbox, long number, String why) {
        em.find(NetworkChange.class, sandbox.id().value())
                .fail(number, why)
                .ifPresent(
                        before -> {
                            sandbox.restoreNetwork(before);
                            requests.send(
                                    new RuntimeRequest(
                                            Operation.NETWORK, sandbox.id(), sandbox.worker()));
                            tell(sandbox);
                        });
    }

    private void tell(Sandbox sandbox) {
        events.publish(sandbox.takeEvent());
    }

    private Optional<Sandbox> locked(SandboxId id) {
        return Optional.ofNullable(
                em.find(Sandbox.class, id.value(), LockModeType.PESSIMISTIC_WRITE));
    }
}
