package dev.holdfast.snapshot;

import dev.holdfast.access.Projects;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Brings snapshots back into a catalogue that has lost them. */
@Stateless
public class Imports {

    /** For one that may have expired or not: until somebody has looked at what came back. */
    private static final Duration SECOND_CHANCE = Duration.ofDays(7);

    @PersistenceContext EntityManager em;
    @Inject Changes changes;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Projects projects;
    @Inject Quotas quotas;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Templates templates;

    /**
     * Whether the catalogue has nothing to say of a snapshot, neither that it is nor that it was.
     */
    public boolean isUnknown(SnapshotId id) {
        return em.find(Snapshot.class, id.value()) == null
                && em.find(Tombstone.class, id.value()) == null;
    }

    /**
     * Makes the row of a snapshot, if the catalogue knows nothing of it. What it needs and nobody
     * has is made with it: a project without a name of its own, a template that counts as deleted.
     *
     * @param amended what was changed of it after its manifest was written
     */
    public Imported bring(Recovered found, Amended amended) {
        if (!isUnknown(found.id())) {
            return Imported.known();
        }
        if (found.kind() == Kind.PAUSE && sandboxes.occupantsOf(found.id().value()).isEmpty()) {
            return Imported.withoutSandbox();
        }
        Snapshot snapshot = new Snapshot(found, amended);
        boolean projectMade = projects.introduce(found.project());
        boolean templateMade =
                templates.remember(
                        found.source().template(),
                        found.source().templateDigest(),
                        found.settings().size());
        Instant now = time.now();
        boolean expired = snapshot.isExpired(now);
        Optional<SnapshotName> name = snapshot.name();
        Optional<Snapshot> holder =
                name.flatMap(wanted -> snapshots.holder(found.project(), wanted));
        boolean named =
                name.isPresent()
                        && !expired
                        && holder.filter(other -> !other.isOlderThan(found)).isEmpty();
        if (named) {
            holder.ifPresent(this::takeName);
        } else {
            snapshot.giveUpName();
        }
        boolean overdue = expired && !amended.settlesExpiry();
        if (overdue) {
            snapshot.expireAt(now.plus(SECOND_CHANCE));
        }
        em.persist(snapshot);
        em.flush();
        changes.tell(snapshot);
        if (found.kind() == Kind.PAUSE) {
            quotas.keepPause(found.project(), snapshot.storedBytes());
        } else {
            quotas.keep(found.project(), snapshot.storedBytes());
        }
        events.publish(Notices.imported(snapshot));
        return new Imported(
                Imported.Outcome.IMPORTED,
                projectMade,
                templateMade,
                named ? holder.map(Snapshot::id) : Optional.empty(),
                !named && name.isPresent(),
                overdue);
    }

    private void takeName(Snapshot holder) {
        holder.giveUpName();
        em.flush(); // the name is free before the next one takes it
        changes.tell(holder);
    }

    /**
     * Gives a snapshot that the catalogue knows what was changed of it later than its row: the
     * catalogue is an older copy of the one that made the change.
     *
     * @return whether that changed it
     */
    public boolean amend(SnapshotId id, Amended amended) {
        Optional<Snapshot> behind =
                Optional.of(id)
                        .filter(any -> amended.latest())
                        .flatMap(snapshots::lock)
                        .filter(snapshot -> snapshot.isKept() && snapshot.isBehind(amended));
        behind.ifPresent(
                snapshot -> {
                    snapshot.take(amended);
                    em.flush();
                    changes.stored(id, amended.number());
                });
        return behind.isPresent();
    }
}
