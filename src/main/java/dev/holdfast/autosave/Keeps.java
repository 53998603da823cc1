package dev.holdfast.autosave;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Lets the captures of a policy go that are more than it keeps, also of sandboxes that ended. */
@Stateless
public class Keeps {

    /** Of one sandbox; a policy keeps no more than a hundred, and looks after each capture. */
    private static final int MOST = 1000;

    private static final String SAVED =
            "select s.id, coalesce(s.stored_bytes, 0), s.saved_at,"
                    + " s.pinned_at is not null and (s.pinned_until is null or s.pinned_until > :now)"
                    + " or coalesce(s.held_until > :now, false)"
                    + " or exists (select 1 from sandbox b where b.snapshot_id = s.id"
                    + " and b.state <> 'ENDED')"
                    + " or exists (select 1 from sandbox b where b.image_id = s.id"
                    + " and b.state <> 'ENDED') as shielded"
                    + " from autosave_capture c join snapshot s on s.id = c.snapshot_id"
                    + " where c.sandbox_id = :sandbox and s.state = 'SAVED' and s.expires_at > :now"
                    + " order by s.saved_at desc, s.id desc";

    @PersistenceContext EntityManager em;
    @Inject Removals removals;
    @Inject Snapshots snapshots;
    @Inject DatabaseTime time;

    /** Those of which nobody has looked since their last capture whether there are too many. */
    public List<SandboxId> crowded(int most) {
        return em.createQuery(
                        "select a.sandboxId from Autosave a where a.crowded order by a.sandboxId",
                        String.class)
                .setMaxResults(most)
                .getResultStream()
                .map(SandboxId::new)
                .toList();
    }

    /** Whose policy has made a capture. */
    public Optional<SandboxId> source(UploadId upload) {
        return em.createQuery(
                        "select a.sandboxId from Autosave a where a.uploadId = :upload",
                        String.class)
                .setParameter("upload", upload.value())
                .getResultStream()
                .findFirst()
                .map(SandboxId::new);
    }

    /**
     * Lets those of a sandbox go that are too many, the oldest. Who looks at the same time waits
     * for the policy's row and then finds them gone.
     *
     * @return how many have gone
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public int clear(SandboxId id) {
        return Optional.ofNullable(
                        em.find(Autosave.class, id.value(), LockModeType.PESSIMISTIC_WRITE))
                .map(this::clear)
                .orElse(0);
    }

    private int clear(Autosave autosave) {
        int most = autosave.policy().keepLast();
        String why = "the capture policy of its sandbox keeps the last " + most;
        int gone =
                removals.retire(
                        Kept.surplus(saved(autosave.sandbox()), most).stream()
                                .map(
                                        kept ->
                                                new Ending(
                                                        kept.id(),
                                                        autosave.project(),
                                                        kept.bytes(),
                                                        kept.savedAt(),
                                                        Optional.of(why)))
                                .toList());
        if (!isUnderWay(autosave)) {
            autosave.cleared();
        }
        return gone;
    }

    /** Then it is looked at again when that is saved. */
    private boolean isUnderWay(Autosave autosave) {
        return autosave.lastUpload()
                .flatMap(snapshots::find)
                .filter(last -> last.state() == SnapshotState.UPLOADING)
                .isPresent();
    }

    private List<Kept> saved(SandboxId id) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows =
                em.createNativeQuery(SAVED)
                        .setParameter("sandbox", id.value())
                        .setParameter("now", time.now())
                        .setMaxResults(MOST)
                        .getResultList();
        return rows.stream()
                .map(
                        row ->
                                new Kept(
                                        new SnapshotId((UUID) row[0]),
                                        ((Number) row[1]).longValue(),
                                        (Instant) row[2],
                                        (Boolean) row[3]))
                .toList();
    }
}
