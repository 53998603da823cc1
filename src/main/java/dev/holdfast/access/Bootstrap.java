package dev.holdfast.access;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Makes a fresh installation usable: the project {@code default} and the key that the settings
 * name. Any number of starts leave the same rows; a start with another key revokes the one before.
 */
@Singleton
@Startup
@DependsOn("Migrations")
public class Bootstrap {
    private static final Logger LOG = Logger.getLogger(Bootstrap.class);
    private static final String SLUG = "default";
    private static final String NAME = "Default";

    @PersistenceContext private EntityManager em;

    /** HOLDFAST_BOOTSTRAP_API_KEY in the environment. */
    @Inject
    @ConfigProperty(name = "holdfast.bootstrap.api-key")
    private Optional<String> configured;

    @Inject private PlanConfig plan;

    @PostConstruct
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    void admit() {
        var project = project();
        if (configured.isEmpty()) {
            LOG.info("No bootstrap key in the settings; the keys stay as they are");
            return;
        }
        var secret =
                KeySecret.read(configured.get())
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "HOLDFAST_BOOTSTRAP_API_KEY is not e2b_ followed by"
                                                        + " 40 lower-case hexadecimal digits"));
        admit(secret, project);
        LOG.infof("Bootstrap key %s opens project %s", secret, project);
    }

    /** Made if missing; its row stays locked, so that two nodes do one after the other. */
    private ProjectId project() {
        em.createNativeQuery(
                        "insert into project (id, name, slug, plan_bytes, plan_snapshots,"
                                + " plan_live_sandboxes, plan_lifetime_seconds, created_at, version)"
                                + " values (:id, :name, :slug, :bytes, :snapshots, :sandboxes,"
                                + " :lifetime, clock_timestamp(), 0) on conflict (slug) do nothing")
                .setParameter("id", UUID.randomUUID())
                .setParameter("name", NAME)
                .setParameter("slug", SLUG)
                .setParameter("bytes", plan.allowance().bytes())
                .setParameter("snapshots", plan.allowance().snapshots())
                .setParameter("sandboxes", plan.allowance().liveSandboxes())
                .setParameter("lifetime", plan.allowance().longestLifetime().toSeconds())
                .executeUpdate();
        return em.createQuery("select p from Project p where p.slug = :slug", Project.class)
                .setParameter("slug", SLUG)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getSingleResult()
                .id();
    }

    private void admit(KeySecret secret, ProjectId project) {
        var now = em.createQuery("select instant", Instant.class).getSingleResult();
        var same =
                em.createQuery("select k from ApiKey k where k.sha256 = :sha256", ApiKey.class)
                        .setParameter("sha256", secret.sha256())
                        .getResultStream()
                        .findFirst();
        if (same.isPresent() && !same.get().isBootstrapOf(project)) {
            throw new IllegalStateException(
                    "HOLDFAST_BOOTSTRAP_API_KEY is a key that was issued to somebody; take another");
        }
        em.createQuery(
                        "select k from ApiKey k where k.bootstrap and k.revokedAt is null",
                        ApiKey.class)
                .getResultStream()
                .filter(key -> same.isEmpty() || !key.id().equals(same.get().id()))
                .forEach(key -> key.revoke(Principal.system(), now));
        // The unique index sees one live key only if the old one goes first.
        em.flush();
        same.ifPresentOrElse(
                ApiKey::reinstate, () -> em.persist(ApiKey.bootstrap(secret, project, now)));
    }
}
