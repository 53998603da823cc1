package dev.holdfast.audit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/**
 * Writes down what was done, in the transaction that does it: both are true or neither. No EJB,
 * because sandboxes also end while the container stops its EJBs.
 */
@ApplicationScoped
@Transactional(TxType.MANDATORY)
public class Audit {

    @PersistenceContext EntityManager em;

    /** A change that is being made. */
    public void done(Deed deed) {
        em.persist(new AuditEntry(deed, Origin.current(), Outcome.DONE, null));
    }

    /**
     * Something that was accepted and came to nothing, in the transaction that says so.
     *
     * @param reason a stable word
     */
    public void failed(Deed deed, String reason) {
        em.persist(new AuditEntry(deed, Origin.current(), Outcome.FAILED, reason));
    }

    /** What a request asked for in vain; by itself, because nothing else was done. */
    @Transactional(TxType.REQUIRES_NEW)
    public void inVain(Deed deed, Origin origin, Outcome outcome, String reason) {
        em.persist(new AuditEntry(deed, origin, outcome, reason));
    }
}
