package dev.holdfast.access;

import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.Asynchronous;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The API keys: recognise one, issue one, revoke one. */
@Stateless
public class Keys {
    private static final SecureRandom RANDOM = new SecureRandom();

    @PersistenceContext private EntityManager em;

    /**
     * Whose key this is. Every key of the right form takes the same way: one digest, one lookup in
     * the index. Outside any transaction, because it is part of every request and only reads.
     */
    @PermitAll
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Recognition recognise(KeySecret secret) {
        var found =
                em.createQuery(
                                "select k, instant from ApiKey k where k.sha256 = :sha256",
                                Object[].class)
                        .setParameter("sha256", secret.sha256())
                        .getResultStream()
                        .findFirst();
        return found.map(row -> judge((ApiKey) row[0], (Instant) row[1]))
                .orElseGet(Recognition::unknown);
    }

    private static Recognition judge(ApiKey key, Instant now) {
        if (key.isRevoked()) {
            return Recognition.revoked();
        }
        return key.isExpiredAt(now) ? Recognition.expired() : new Recognition.Accepted(key);
    }

    /** The project's keys that are not revoked, newest first. */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public List<ApiKey> of(ProjectId project) {
        return em.createQuery(
                        "select k from ApiKey k where k.projectId = :project"
                                + " and k.revokedAt is null order by k.createdAt desc, k.id",
                        ApiKey.class)
                .setParameter("project", project.value())
                .getResultList();
    }

    /** The secret is in the answer and nowhere else. */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public IssuedKey issue(KeyOrder order, Principal by) {
        var secret = KeySecret.random(RANDOM);
        var key = ApiKey.issue(secret, order, by, now());
        em.persist(key);
        return new IssuedKey(key, secret);
    }

    /** Empty if the project has no such key; revoking again changes nothing. */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public Optional<ApiKey> revoke(ProjectId project, ApiKeyId id, Principal by) {
        var key =
                Optional.ofNullable(
                                em.find(ApiKey.class, id.value(), LockModeType.PESSIMISTIC_WRITE))
                        .filter(found -> found.project().equals(Optional.of(project)));
        key.ifPresent(found -> found.revoke(by, now()));
        return key;
    }

    /** Writes when it was last used, unless somebody did so within the minute. */
    @PermitAll
    @Asynchronous
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void noteUse(ApiKeyId id) {
        em.createNativeQuery(
                        "update api_key set last_used_at = clock_timestamp() where id = :id and"
                                + " coalesce(last_used_at < clock_timestamp() - interval '1 minute',"
                                + " true)")
                .setParameter("id", id.value())
                .executeUpdate();
    }

    private Instant now() {
        return em.createQuery("select instant", Instant.class).getSingleResult();
    }
}
