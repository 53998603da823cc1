package dev.holdfast.fleet;

import dev.holdfast.database.DatabaseTime;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;

/** A worker that stops says so. No EJB, because those may be stopped before the worker is. */
@ApplicationScoped
@Transactional
public class Withdrawals {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /**
     * @param incarnation the number under which it began; whoever has its name by now keeps it
     * @return false when another has it
     */
    public boolean withdraw(String id, long incarnation, String why) {
        Worker worker = em.find(Worker.class, id, LockModeType.PESSIMISTIC_WRITE);
        if (worker == null || worker.judge(incarnation) == Renewal.TAKEN) {
            return false;
        }
        worker.withdraw(time.now(), why);
        return true;
    }
}
