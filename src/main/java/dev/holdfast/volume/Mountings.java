package dev.holdfast.volume;

import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.util.List;

/** Which sandboxes and snapshots have to do with a volume. Rows of other rooms are only read. */
@Stateless
public class Mountings {

    private static final int MOST = 100;

    /** What its row mounts, and what the states mount that it was or will be made from. */
    private static final String SANDBOXES =
            "select b.id from sandbox b where b.state <> 'ENDED' and b.mounts <> '[]'"
                    + " and b.mounts @> cast(:mount as jsonb)"
                    + " union select b.id from snapshot s join sandbox b"
                    + " on b.state <> 'ENDED' and (b.image_id = s.id or b.snapshot_id = s.id)"
                    + " where s.mounts <> '[]' and s.mounts @> cast(:mount as jsonb)"
                    + " order by 1";

    private static final String SAVED =
            " from snapshot s where s.mounts <> '[]' and s.mounts @> cast(:mount as jsonb)"
                    + " and s.state in ('UPLOADING', 'SAVED', 'TRASHED') and s.kind <> 'PAUSE'";

    @PersistenceContext EntityManager em;

    public Usage of(VolumeId volume) {
        return new Usage(
                texts(SANDBOXES, volume),
                texts(
                        "select cast(s.id as text)" + SAVED + " order by s.created_at desc, s.id",
                        volume),
                ((Number) query("select count(*)" + SAVED, volume).getSingleResult()).longValue());
    }

    /** The sandboxes that keep it from being deleted; the first hundred of them. */
    public List<String> sandboxes(VolumeId volume) {
        return texts(SANDBOXES, volume);
    }

    private List<String> texts(String statement, VolumeId volume) {
        List<?> found = query(statement, volume).setMaxResults(MOST).getResultList();
        return found.stream().map(String.class::cast).toList();
    }

    private Query query(String statement, VolumeId volume) {
        return em.createNativeQuery(statement)
                .setParameter("mount", "[{\"volume\":\"" + volume + "\"}]");
    }
}
