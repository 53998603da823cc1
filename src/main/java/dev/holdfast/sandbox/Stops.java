package dev.holdfast.sandbox;

import dev.holdfast.database.DatabaseTime;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.time.Instant;

/**
 * The end of a worker's sandboxes when it is stopped. No EJB and no message: when an application is
 * undeployed the container stops its EJBs in no order, and this is needed until the last of them.
 */
@ApplicationScoped
@Transactional
public class Stops {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /** Ends every live sandbox of the worker, whose machines are gone already. */
    public void endAll(String worker) {
        Instant now = time.now();
        em.createQuery(
                        "select s from Sandbox s where s.workerId = :worker and s.state <> :ended",
                        Sandbox.class)
                .setParameter("worker", worker)
                .setParameter("ended", SandboxState.ENDED)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultList()
                .forEach(
                        sandbox -> {
                            sandbox.end(EndReason.WORKER_STOPPED, null, "system", now);
                            sandbox.gone();
                        });
    }
}
