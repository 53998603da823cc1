package dev.holdfast.fleet;

import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Duration;

/**
 * The runtime builds and template images that were published into the store under their digests,
 * and whether anybody needs them.
 *
 * <p>Whoever publishes one announces it first. The announcement takes the row, which a removal
 * holds until the object is gone: so the publisher either keeps the removal away or finds the
 * object missing afterwards and stores it anew.
 */
@Stateless
public class Publications {

    /** What is stored under a digest, as {@code blob.kind} has it. */
    public enum Kind {
        TEMPLATE,
        RUNTIME
    }

    /**
     * A snapshot that may still be restored, a sandbox that lives or is being captured, a template
     * that has not been deleted, a worker that starts sandboxes with it.
     */
    private static final String NEEDED =
            "(exists (select 1 from snapshot s where s.state in ('UPLOADING', 'SAVED', 'TRASHED')"
                    + " and case :kind when 'TEMPLATE' then s.template_digest else s.runtime_id end"
                    + " = :digest)"
                    + " or exists (select 1 from sandbox x where (x.state <> 'ENDED'"
                    + " or exists (select 1 from snapshot c where c.source_sandbox_id = x.id"
                    + " and c.state = 'UPLOADING'))"
                    + " and case :kind when 'TEMPLATE' then x.template_digest else x.runtime_id end"
                    + " = :digest)"
                    + " or exists (select 1 from template t where :kind = 'TEMPLATE'"
                    + " and t.deleted_at is null and t.state <> 'FAILED' and t.digest = :digest)"
                    + " or exists (select 1 from worker w where :kind = 'RUNTIME'"
                    + " and w.runtime_id = :digest and w.lease_until > cast(:reachable as timestamptz)))";

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /** Somebody is about to publish this, or to use what is there under its name. */
    public void announce(Kind kind, String digest) {
        em.createNativeQuery(
                        "insert into blob (kind, digest, published_at)"
                                + " values (:kind, :digest, clock_timestamp())"
                                + " on conflict (kind, digest)"
                                + " do update set published_at = excluded.published_at")
                .setParameter("kind", kind.name())
                .setParameter("digest", digest)
                .executeUpdate();
    }

    /** This was found in the store; if nobody knew of it, it counts as published now. */
    public void found(Kind kind, String digest) {
        em.createNativeQuery(
                        "insert into blob (kind, digest, published_at)"
                                + " values (:kind, :digest, clock_timestamp())"
                                + " on conflict (kind, digest) do nothing")
                .setParameter("kind", kind.name())
                .setParameter("digest", digest)
                .executeUpdate();
    }

    /**
     * Gives up what nobody needs and what was published longer ago than the grace time. The caller
     * removes the object before its transaction ends.
     *
     * @return whether it may be removed
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public boolean withdraw(Kind kind, String digest, Duration grace) {
        if (kind == Kind.TEMPLATE) {
            // A build that makes the very same image takes this lock before it names it.
            em.createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:image, 0))")
                    .setParameter("image", "template image " + digest)
                    .getResultList();
        }
        return asked(
                                "delete from blob where kind = :kind and digest = :digest"
                                        + " and published_at <= cast(:reachable as timestamptz)"
                                        + " and not "
                                        + NEEDED,
                                kind,
                                digest,
                                grace)
                        .executeUpdate()
                > 0;
    }

    /** Whether a copy of it may be in use or will be: it is known, or somebody needs it. */
    public boolean isWanted(Kind kind, String digest) {
        return (Boolean)
                asked(
                                "select exists (select 1 from blob where kind = :kind"
                                        + " and digest = :digest) or "
                                        + NEEDED,
                                kind,
                                digest,
                                Duration.ZERO)
                        .getSingleResult();
    }

    /** A worker that was away for less than the grace time is expected back with what it had. */
    private Query asked(String text, Kind kind, String digest, Duration grace) {
        return em.createNativeQuery(text)
                .setParameter("kind", kind.name())
                .setParameter("digest", digest)
                .setParameter("reachable", time.now().minus(grace).toString());
    }
}
