package dev.holdfast.snapshot;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What was changed of saved snapshots and is to be written beside their manifests. Each change has
 * a number; the row also holds the number up to which the store has followed.
 */
@Stateless
public class Changes {

    /** What is hollow waits: an amendment beside no manifest would say nothing. */
    private static final String DUE =
            "select id from snapshot where change_number > stored_change"
                    + " and state in ('SAVED', 'TRASHED') and parts_state <> 'MISSING'"
                    + " and amend_after <= statement_timestamp() order by amend_after, id";

    /** Not by the entity: its version must not grow, for nobody has changed the snapshot. */
    private static final String STORED =
            "update snapshot set stored_change = greatest(stored_change, :number),"
                    + " amend_attempts = 0, amend_after = '-infinity'"
                    + " where id = :id and state in ('SAVED', 'TRASHED')";

    private static final String LATER =
            "update snapshot set amend_attempts = amend_attempts + 1, amend_after ="
                    + " clock_timestamp() + interval '1 minute' * (1 << least(amend_attempts, 6))"
                    + " where id = :id";

    private static final String LOST =
            "update snapshot set stored_change = :whole where id = :id and stored_change > :whole";

    @PersistenceContext EntityManager em;
    @Inject Event<Changed> observers;

    /** Whoever follows the changes does so once the caller's transaction has committed. */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void tell(Snapshot changed) {
        observers.fire(new Changed(changed.id()));
    }

    /**
     * The next of those that the store has not followed: what was put off comes when its time has
     * come, after what nobody has tried.
     */
    public List<SnapshotId> due(int limit) {
        List<?> rows = em.createNativeQuery(DUE, UUID.class).setMaxResults(limit).getResultList();
        return rows.stream().map(row -> new SnapshotId((UUID) row)).toList();
    }

    /** One could not be followed now; it is due again after 1, 2, 4 and at most 64 minutes. */
    public void putOff(SnapshotId id) {
        em.createNativeQuery(LATER).setParameter("id", id.value()).executeUpdate();
    }

    /** All that was changed of one, if it is there and the store has not followed. */
    public Optional<Amended> of(SnapshotId id) {
        return Optional.ofNullable(em.find(Snapshot.class, id.value()))
                .filter(Snapshot::isKept)
                .filter(Snapshot::isAheadOfTheStore)
                .map(Snapshot::amended);
    }

    /**
     * The store has an amendment of that number.
     *
     * @return false when the snapshot was removed meanwhile, so nobody removes what was written
     */
    public boolean stored(SnapshotId id, long number) {
        return em.createNativeQuery(STORED)
                        .setParameter("number", number)
                        .setParameter("id", id.value())
                        .executeUpdate()
                > 0;
    }

    /**
     * Somebody has looked at what the store has.
     *
     * @param whole the number of its highest amendment that can be read; 0: none
     * @return whether it has lost one, which is due to be written anew
     */
    public boolean lost(SnapshotId id, long whole) {
        return em.createNativeQuery(LOST)
                        .setParameter("whole", whole)
                        .setParameter("id", id.value())
                        .executeUpdate()
                > 0;
    }

    /**
     * The store has a higher number than this catalogue has given, or other facts under one: it is
     * ahead of an older copy of the catalogue. What holds is the row, so its number rises: once, of
     * all who find the same.
     *
     * @param seen the number under which somebody could not write it
     * @param least what its number is to be
     */
    public void renumber(SnapshotId id, long seen, long least) {
        Optional.ofNullable(em.find(Snapshot.class, id.value(), LockModeType.PESSIMISTIC_WRITE))
                .filter(Snapshot::isKept)
                .ifPresent(snapshot -> snapshot.renumber(seen, least));
    }
}
