package dev.holdfast.access;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.Asynchronous;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The API keys: recognise one, issue one, revoke one. */
@Stateless
public class Keys {
    private static final SecureRandom RANDOM = new SecureRandom();

    @PersistenceContext private EntityManager em;
    @Inject private Audit audit;
    @Inject private Projects projects;
    @Inject private DatabaseTime time;

    /**
     * Whose key this is. Every key of the right form takes the same way: one digest, one lookup in
     * the index. Outside any transaction, because it is part of every request and only reads.
     */
    @PermitAll
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Recognition recognise(KeySecret secret) {
        var found =
                em.createQuery(
                                "select k, instant, p.closedAt from ApiKey k left join Project p"
                                        + " on p.id = k.projectId where k.sha256 = :sha256",
                                Object[].class)
                        .setParameter("sha256", secret.sha256())
                        .getResultStream()
                        .findFirst();
        return found.map(row -> judge((ApiKey) row[0], (Instant) row[1], row[2] != null))
                .orElseGet(Recognition::unknown);
    }

    /** The same of a key that was recognised before, as it is now. */
    @PermitAll
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Recognition recognise(ApiKeyId id) {
        var found =
                em.createQuery(
                                "select k, instant, p.closedAt from ApiKey k left join Project p"
                                        + " on p.id = k.projectId where k.id = :id",
                                Object[].class)
                        .setParameter("id", id.value())
                        .getResultStream()
                        .findFirst();
        return found.map(row -> judge((ApiKey) row[0], (Instant) row[1], row[2] != null))
                .orElseGet(Recognition::unknown);
    }

    private static Recognition judge(ApiKey key, Instant now, boolean closed) {
        if (key.isRevoked()) {
            return Recognition.revoked();
        }
        if (key.isExpiredAt(now)) {
            return Recognition.expired();
        }
        return closed ? Recognition.closed() : new Recognition.Accepted(key);
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

    /**
     * A page of the keys of a project, or of the service.
     *
     * @param project empty for the service's own
     */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public List<ApiKey> list(Optional<ProjectId> project, KeyQuery query) {
        var text =
                new StringBuilder("select k from ApiKey k where ")
                        .append(
                                project.isPresent()
                                        ? "k.projectId = :project"
                                        : "k.projectId is null");
        switch (query.standing()) {
            case LIVE -> text.append(" and k.revokedAt is null");
            case REVOKED -> text.append(" and k.revokedAt is not null");
            default -> {
                // all of them
            }
        }
        query.after()
                .ifPresent(
                        place ->
                                text.append(
                                        " and (k.createdAt < :at or"
                                                + " (k.createdAt = :at and k.id < :after))"));
        text.append(" order by k.createdAt desc, k.id desc");
        var typed = em.createQuery(text.toString(), ApiKey.class).setMaxResults(query.limit());
        project.ifPresent(own -> typed.setParameter("project", own.value()));
        query.after()
                .ifPresent(
                        place -> {
                            typed.setParameter("at", place.createdAt());
                            typed.setParameter("after", place.id().value());
                        });
        return typed.getResultList();
    }

    /**
     * @param project empty for the service's own
     */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public Optional<ApiKey> find(Optional<ProjectId> project, ApiKeyId id) {
        return Optional.ofNullable(em.find(ApiKey.class, id.value()))
                .filter(found -> found.project().equals(project));
    }

    /**
     * The secret is in the answer and nowhere else.
     *
     * @throws dev.holdfast.problem.Problem for what the grantor may not give
     */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public IssuedKey issue(KeyOrder order, Grantor by) {
        order.project().ifPresent(projects::lock);
        var secret = KeySecret.random(RANDOM);
        var key = ApiKey.issue(secret, order, by, time.now());
        em.persist(key);
        audit.done(told(Action.KEY_CREATE, key, by.principal()));
        return new IssuedKey(key, secret);
    }

    /**
     * Other terms for a key, of those that the grantor may give.
     *
     * @param seen the version that the caller saw, if it matters to it
     * @return empty if the project, or the service, has no such key
     */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public Optional<ApiKey> change(
            Optional<ProjectId> project,
            ApiKeyId id,
            UnaryOperator<KeyTerms> change,
            Grantor by,
            OptionalLong seen) {
        var key = locked(project, id);
        key.ifPresent(
                found -> {
                    var before = found.terms();
                    found.change(by.grant(before, change.apply(before), time.now()), seen);
                    em.flush();
                    audit.done(told(Action.KEY_CHANGE, found, by.principal()));
                });
        return key;
    }

    /**
     * Empty if the project, or the service, has no such key; revoking again changes nothing. Also
     * the last that may administer the project can go: the service can make another.
     */
    @RolesAllowed({Permission.Word.PROJECT_ADMIN, Permission.Word.SERVICE_ADMIN})
    public Optional<ApiKey> revoke(Optional<ProjectId> project, ApiKeyId id, Principal by) {
        var key = locked(project, id);
        key.filter(found -> !found.isRevoked())
                .ifPresent(
                        found -> {
                            found.revoke(by, time.now());
                            audit.done(told(Action.KEY_REVOKE, found, by));
                        });
        return key;
    }

    private Optional<ApiKey> locked(Optional<ProjectId> project, ApiKeyId id) {
        return Optional.ofNullable(
                        em.find(ApiKey.class, id.value(), LockModeType.PESSIMISTIC_WRITE))
                .filter(found -> found.project().equals(project));
    }

    private static Deed told(Action action, ApiKey key, Principal by) {
        return Deed.of(action, Subject.key(key.id()))
                .in(key.project().map(ProjectId::value).orElse(null))
                .by(by.text())
                .with("name", key.name())
                .with("key", key.masked())
                .with(
                        "permissions",
                        key.permissions().stream()
                                .sorted()
                                .map(Permission::word)
                                .collect(Collectors.joining(" ")))
                .with("expiresAt", key.expiresAt().orElse(null));
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
}
