package dev.holdfast.database;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.security.SecureRandom;

/**
 * Secrets shared by every node. The first node to start makes them; the insert that loses reads
 * what the other one wrote.
 */
@Singleton
@Startup
@DependsOn("Migrations")
public class Secrets {

    @PersistenceContext EntityManager em;

    private byte[] tokenSecret;

    @PostConstruct
    void load() {
        byte[] fresh = new byte[32];
        new SecureRandom().nextBytes(fresh);
        em.createNativeQuery(
                        "insert into secret (name, version, value) values ('token', 1, :value)"
                                + " on conflict do nothing")
                .setParameter("value", fresh)
                .executeUpdate();
        tokenSecret =
                (byte[])
                        em.createNativeQuery(
                                        "select value from secret where name = 'token'"
                                                + " order by version desc limit 1",
                                        byte[].class)
                                .getSingleResult();
    }

    /** What sandbox tokens are made from. */
    @Lock(LockType.READ)
    public byte[] tokenSecret() {
        return tokenSecret.clone();
    }
}
