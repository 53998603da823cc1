package dev.holdfast.audit;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Pieces of a chain, and what came in beside it. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Pages {
    private static final Logger LOG = Logger.getLogger(Pages.class);

    private static final String BEHIND =
            " where l.place.chain = :chain and l.place.position > :after"
                    + " order by l.place.position";

    private static final String UNLINKED =
            "select e.id from audit_entry e where (%s) and not exists"
                    + " (select 1 from audit_link l where l.entry_id = e.id) and not exists"
                    + " (select 1 from audit_pending p where p.entry_id = e.id and p.since"
                    + " between clock_timestamp() - interval '1 hour' and clock_timestamp())"
                    + " limit 1";

    @PersistenceContext EntityManager em;

    /**
     * A place in a chain and what stands there.
     *
     * @param text empty where there is no entry, or one that is not of this chain
     */
    public record Linked(Link link, Optional<String> text, Instant at) {}

    /** With one statement, so that what is removed meanwhile is missing from its beginning only. */
    public List<Linked> read(UUID chain, long after, int most) {
        @SuppressWarnings("unchecked") // a query of two entities knows no types
        List<Object[]> rows =
                em.createQuery(
                                "select l, e from Link l left join AuditEntry e on e.id = l.entryId"
                                        + BEHIND)
                        .setParameter("chain", chain)
                        .setParameter("after", after)
                        .setMaxResults(most)
                        .getResultList();
        List<Linked> page = new ArrayList<>();
        rows.forEach(row -> page.add(linked(chain, (Link) row[0], (AuditEntry) row[1])));
        return page;
    }

    /** The place alone: its entry cannot be read. */
    public List<Linked> bare(UUID chain, long after) {
        return em.createQuery("select l from Link l" + BEHIND, Link.class)
                .setParameter("chain", chain)
                .setParameter("after", after)
                .setMaxResults(1)
                .getResultStream()
                .map(link -> linked(chain, link, null))
                .toList();
    }

    /** Whether an entry, if it is there, can be read; also false says that the database answers. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public boolean isReadable(long id) {
        try {
            AuditEntry entry = em.find(AuditEntry.class, id);
            return entry == null || !Canonical.text(entry).isEmpty();
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException) {
                    throw e;
                }
            }
            return false;
        }
    }

    /** Whether an entry of a chain came in beside it. */
    public boolean isAnyUnlinked(UUID chain) {
        boolean service = chain.equals(Chain.SERVICE);
        var query =
                em.createNativeQuery(
                        UNLINKED.formatted(service ? "e.service" : "e.project_id = :project"),
                        Long.class);
        if (!service) {
            query.setParameter("project", chain);
        }
        List<?> found = query.getResultList();
        found.forEach(id -> LOG.errorf("Entry %s of the audit has no place in its chain", id));
        return !found.isEmpty();
    }

    private static Linked linked(UUID chain, Link link, AuditEntry entry) {
        return entry == null || !Chain.of(entry).contains(chain)
                ? new Linked(link, Optional.empty(), link.at())
                : new Linked(link, Optional.of(Canonical.text(entry)), entry.at());
    }
}
