package dev.holdfast.sandbox;

import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;

/**
 * The end of a worker's sandboxes when it is stopped. No EJB and no message: when an application is
 * undeployed the container stops its EJBs in no order, and this is needed until the last of them.
 */
@ApplicationScoped
@Transactional
public class Stops {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject DatabaseTime time;

    /**
     * Ends every sandbox of the worker that had a machine; the machines are gone already. What is
     * paused needs none and stays, and what was about to go on stays paused.
     */
    public void endAll(String worker) {
        Instant now = time.now();
        em.createQuery(
                        "select s from Sandbox s where s.workerId = :worker"
                                + " and s.state not in :without",
                        Sandbox.class)
                .setParameter("worker", worker)
                .setParameter("without", List.of(SandboxState.PAUSED, SandboxState.ENDED))
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultList()
                .forEach(
                        sandbox -> {
                            if (sandbox.state() == SandboxState.RESUMING) {
                                sandbox.stayPaused("the worker was stopped", now);
                                return;
                            }
                            sandbox.end(EndReason.WORKER_STOPPED, null, "system", now);
                            sandbox.gone();
                            audit.done(Deeds.end(sandbox));
                        });
    }
}
