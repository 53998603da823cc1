package dev.holdfast.audit;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Gives entries their places in the chains, and takes them from the old end. One does so at a time,
 * on whatever node, under the row of the service's chain.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Chains {
    private static final Logger LOG = Logger.getLogger(Chains.class);

    /** So many get their place in one transaction. */
    static final int MOST = 1_000;

    private static final String ANY = "select exists (select 1 from audit_pending)";

    private static final String NEXT =
            "select entry_id from audit_pending order by at, entry_id limit :most";

    private static final String TAKE =
            "with taken as (delete from audit_pending where entry_id in ("
                    + NEXT
                    + ") returning entry_id) select entry_id from taken";

    /** By the links, which nothing protects: how old an entry is, only itself says. */
    private static final String DUE =
            "select c.id from audit_chain c left join project p on p.id = c.id where %s and"
                    + " (select l.at from audit_link l where l.chain = c.id order by l.position"
                    + " limit 1) < clock_timestamp() - make_interval(secs =>"
                    + " coalesce(p.audit_retention_seconds, :usual)) order by c.id limit :most";

    /** An entry that is in two audits goes with the last of them. */
    private static final String REMOVE =
            "with gone as (delete from audit_link where chain = :chain and position <= :until"
                    + " returning entry_id), entries as (delete from audit_entry e using gone"
                    + " where e.id = gone.entry_id and not exists (select 1 from audit_link o"
                    + " where o.entry_id = e.id and o.chain <> :chain))"
                    + " select count(*) from gone";

    @PersistenceContext EntityManager em;
    @Inject AuditConfig config;
    @Inject Events events;
    @Inject DatabaseTime time;

    /**
     * Some of what is committed and has no place yet, the oldest first.
     *
     * @return whether there may be more
     */
    public boolean link() {
        if (!(Boolean) em.createNativeQuery(ANY, Boolean.class).getSingleResult()) {
            return false;
        }
        // A statement of its own: the next one sees all that was committed before it had the lock.
        Map<UUID, Chain> chains = new HashMap<>(Map.of(Chain.SERVICE, lock()));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Long> taken =
                em.createNativeQuery(TAKE, Long.class).setParameter("most", MOST).getResultList();
        List<AuditEntry> entries = unlinked(taken);
        if (entries.size() < taken.size()) {
            LOG.errorf(
                    "%d entries of the audit were removed before they had a place in its chain, or"
                            + " had one",
                    taken.size() - entries.size());
        }
        for (AuditEntry entry : entries) {
            for (UUID each : Chain.of(entry)) {
                em.persist(chains.computeIfAbsent(each, this::begun).append(entry));
            }
        }
        return taken.size() == MOST;
    }

    /** The IDs of those that would have their place next. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<Long> next() {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Long> next =
                em.createNativeQuery(NEXT, Long.class).setParameter("most", MOST).getResultList();
        return next;
    }

    /** Some never get a place, so that the others do; a verification finds them. */
    public void leaveOut(List<Long> ids) {
        em.createNativeQuery("delete from audit_pending where entry_id in (:ids)")
                .setParameter("ids", ids)
                .executeUpdate();
    }

    /** The chain of a project, or of the service; one that has no entry yet has none of it. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Chain find(Optional<UUID> project) {
        return find(project.orElse(Chain.SERVICE));
    }

    /** The same by its own ID. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Chain find(UUID id) {
        Chain found = em.find(Chain.class, id);
        return found == null ? new Chain(id) : found;
    }

    /** The IDs of some of them, in their order. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<UUID> after(Optional<UUID> last, int most) {
        var query =
                em.createQuery(
                        "select c.id from Chain c where c.last > 0"
                                + (last.isPresent() ? " and c.id > :last" : "")
                                + " order by c.id",
                        UUID.class);
        last.ifPresent(each -> query.setParameter("last", each));
        return query.setMaxResults(most).getResultList();
    }

    /** The IDs of some whose oldest entry seems to be older than is kept, in their order. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<UUID> due(Optional<UUID> last, int most) {
        var query =
                em.createNativeQuery(
                                DUE.formatted(last.isPresent() ? "c.id > :last" : "true"),
                                UUID.class)
                        .setParameter("usual", (double) config.retention.toSeconds())
                        .setParameter("most", most);
        last.ifPresent(each -> query.setParameter("last", each));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<UUID> due = query.getResultList();
        return due;
    }

    /**
     * Removes all up to an entry from the old end of a chain.
     *
     * @param anchor where it began when they were looked at
     * @return how many; 0: somebody else has removed some since
     */
    public int remove(UUID id, Chain.Point anchor, Link until) {
        lock();
        Chain chain = em.find(Chain.class, id);
        if (chain == null || !chain.anchor().equals(anchor)) {
            return 0;
        }
        chain.removedUntil(until);
        // Whoever keeps the log elsewhere can tell that nobody else has moved it.
        LOG.infof(
                "The audit of %s begins behind sequence %d, hash %s: what came before is older than"
                        + " is kept",
                chain.subject(), until.position(), until.hash());
        return ((Number)
                        em.createNativeQuery(REMOVE)
                                .setParameter("chain", id)
                                .setParameter("until", until.position())
                                .getSingleResult())
                .intValue();
    }

    /** Writes down what a verification saw, and tells outsiders where the chain ends. */
    public void verified(UUID id, Chain.Point until, Optional<Breach> breach) {
        lock();
        Chain chain = em.find(Chain.class, id);
        if (chain == null) {
            return; // nothing has happened in that project, or there is none
        }
        if (chain.verified(time.now(), until, breach)) {
            Notice notice =
                    new Notice(
                                    breach.isEmpty()
                                            ? EventType.AUDIT_VERIFIED
                                            : EventType.AUDIT_BROKEN,
                                    chain.subject(),
                                    chain.project(),
                                    Map.of())
                            .with("sequence", until.position())
                            .with("hash", until.hash())
                            .with("reason", breach.map(Breach::reason));
            events.publish(new Event("audit:" + notice.subject(), notice.type().word(), notice));
        }
    }

    /** How long a chain's entries are kept. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Duration kept(UUID id) {
        List<?> own =
                em.createNativeQuery(
                                "select audit_retention_seconds from project where id = :id"
                                        + " and audit_retention_seconds is not null",
                                Long.class)
                        .setParameter("id", id)
                        .getResultList();
        return own.isEmpty() ? config.retention : Duration.ofSeconds((Long) own.get(0));
    }

    private List<AuditEntry> unlinked(List<Long> ids) {
        return em.createQuery(
                        "select e from AuditEntry e where e.id in :ids and not exists"
                                + " (select 1 from Link l where l.entryId = e.id)",
                        AuditEntry.class)
                .setParameter("ids", ids)
                .getResultStream()
                .sorted(Comparator.comparing(AuditEntry::at).thenComparing(AuditEntry::id))
                .toList();
    }

    private Chain lock() {
        return em.find(Chain.class, Chain.SERVICE, LockModeType.PESSIMISTIC_WRITE);
    }

    private Chain begun(UUID id) {
        Chain found = em.find(Chain.class, id);
        if (found == null) {
            found = new Chain(id);
            em.persist(found);
        }
        return found;
    }
}
