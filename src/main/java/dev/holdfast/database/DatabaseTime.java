package dev.holdfast.database;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;

/** The one clock: the database's wall clock at this moment, not at the transaction's start. */
@ApplicationScoped
public class DatabaseTime {

    @PersistenceContext EntityManager em;

    public Instant now() {
        return (Instant)
                em.createNativeQuery("select clock_timestamp() as now", Instant.class)
                        .getSingleResult();
    }
}
