package dev.holdfast.contents;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.database.AfterCommit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.peek.Peek;
import dev.holdfast.peek.Peeks;
import dev.holdfast.problem.Problem;
import dev.holdfast.restore.Places;
import dev.holdfast.restore.References;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.worker.PeekMachines;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Which peek shows a snapshot, ordered where there is none. */
@Stateless
public class Openings {

    @Inject DatabaseTime time;
    @Inject PeekMachines machines;
    @Inject Peeks peeks;
    @Inject Places places;
    @Inject References references;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    /**
     * @throws Problem as a restore is refused
     */
    public UUID of(Actor actor, Optional<String> slug, String reference) {
        actor.require(Permission.SNAPSHOTS_READ);
        Snapshot snapshot = references.snapshot(actor.project(), slug, reference);
        actor.require(Permission.SANDBOXES_USE);
        snapshot.requireUsable(time.now());
        UUID id = of(actor.project(), snapshot, any -> true);
        String principal = actor.principal().text();
        if (machines.isNewTo(id, principal)) {
            peeks.looked(actor.project(), snapshot.id(), principal);
            transaction.registerInterposedSynchronization(
                    new AfterCommit(() -> machines.remember(id, principal)));
        }
        return id;
    }

    /** For a comparison that was accepted, on its worker. */
    public UUID of(ProjectId project, SnapshotId id, String worker) {
        Snapshot snapshot = references.snapshot(project, Optional.empty(), id.toString());
        snapshot.requireUsable(time.now());
        return of(project, snapshot, worker::equals);
    }

    private UUID of(ProjectId project, Snapshot snapshot, Predicate<String> among) {
        return peeks.of(snapshot.id()).orElseGet(() -> ordered(project, snapshot.id(), among)).id();
    }

    /** Under the lock of the snapshot's row, so that two who come at once share one. */
    private Peek ordered(ProjectId project, SnapshotId id, Predicate<String> among) {
        Snapshot snapshot = references.locked(project, Optional.empty(), id.toString());
        snapshot.requireUsable(time.now());
        String worker = places.on(snapshot, among).id();
        return peeks.of(snapshot.id()).orElseGet(() -> peeks.order(project, snapshot.id(), worker));
    }
}
