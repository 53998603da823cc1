package dev.holdfast.snapshot;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Which stored parts are due to be read again, and what was found. */
@Stateless
public class Scrubs {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;
    @Inject Events events;

    /**
     * The saved snapshots whose parts nobody has read for so long, the longest unread first; and
     * those that were not whole, whose store may have come back.
     *
     * @param most how many at the most
     * @param bytes how many stored bytes they have together at the most; one is always due
     */
    public List<SnapshotId> due(Duration unread, int most, long bytes) {
        List<Object[]> rows =
                em.createQuery(
                                "select s.id, s.storedBytes from Snapshot s where s.state = :saved"
                                        + " and (coalesce(s.partsCheckedAt, s.savedAt) <= :before"
                                        + " or s.partsState <> :complete)"
                                        + " order by coalesce(s.partsCheckedAt, s.savedAt), s.id",
                                Object[].class)
                        .setParameter("complete", PartsState.COMPLETE)
                        .setParameter("saved", SnapshotState.SAVED)
                        .setParameter("before", time.now().minus(unread))
                        .setMaxResults(most)
                        .getResultList();
        List<SnapshotId> due = new ArrayList<>();
        long sum = 0;
        for (Object[] row : rows) {
            sum += (Long) row[1];
            if (sum > bytes && !due.isEmpty()) {
                break;
            }
            due.add(new SnapshotId((UUID) row[0]));
        }
        return due;
    }

    /** By a query: an entity that is read here would be an old one where it is locked later. */
    public boolean isSaved(SnapshotId id) {
        return !em.createQuery(
                        "select s.id from Snapshot s where s.id = :id and s.state = :saved",
                        UUID.class)
                .setParameter("id", id.value())
                .setParameter("saved", SnapshotState.SAVED)
                .getResultList()
                .isEmpty();
    }

    /** The snapshots that were saved by then and still are. */
    public Set<SnapshotId> savedBefore(Instant moment) {
        Set<SnapshotId> saved = new TreeSet<>((a, b) -> a.value().compareTo(b.value()));
        em.createQuery(
                        "select s.id from Snapshot s where s.state = :saved and s.savedAt < :moment",
                        UUID.class)
                .setParameter("saved", SnapshotState.SAVED)
                .setParameter("moment", moment)
                .getResultStream()
                .map(SnapshotId::new)
                .forEach(saved::add);
        return saved;
    }

    /**
     * Somebody has read its parts.
     *
     * @return whether that changes what is known of them
     */
    public boolean checked(SnapshotId id, PartsState state) {
        Snapshot snapshot = em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (snapshot == null || snapshot.state() != SnapshotState.SAVED) {
            return false;
        }
        boolean changed = snapshot.partsState() != state;
        snapshot.checked(state, time.now());
        if (changed) {
            events.publish(Notices.parts(snapshot, state));
        }
        return changed;
    }

    /** Its parts could not be read now; what is known of them stays, and others come first. */
    public void unread(SnapshotId id) {
        Snapshot snapshot = em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (snapshot != null && snapshot.state() == SnapshotState.SAVED) {
            snapshot.checked(snapshot.partsState(), time.now());
        }
    }
}
