package dev.holdfast.access;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.role.Roles;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Makes a fresh installation usable: the project {@code default} and the keys that the settings
 * name, one of that project and one of the service. Any number of starts leave the same rows; a
 * start with another key revokes the one before. That is for the nodes that control: one that only
 * works needs neither key, and reads none.
 */
@Singleton
@Startup
@DependsOn("Migrations")
public class Bootstrap {
    private static final Logger LOG = Logger.getLogger(Bootstrap.class);
    private static final String SLUG = "default";
    private static final String NAME = "Default";

    @PersistenceContext EntityManager em;

    /** HOLDFAST_BOOTSTRAP_API_KEY in the environment. */
    @Inject
    @ConfigProperty(name = "holdfast.bootstrap.api-key")
    private Optional<String> configured;

    /** HOLDFAST_BOOTSTRAP_ADMIN_KEY in the environment. */
    @Inject
    @ConfigProperty(name = "holdfast.bootstrap.admin-key")
    private Optional<String> configuredAdmin;

    @Inject Roles roles;
    @Inject private PlanConfig plan;
    @Inject private DatabaseTime time;

    @PostConstruct
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    void admit() {
        if (!roles.control()) {
            return;
        }
        lock();
        configured.ifPresentOrElse(
                text -> {
                    var secret = read("HOLDFAST_BOOTSTRAP_API_KEY", text);
                    var project = project();
                    admit("HOLDFAST_BOOTSTRAP_API_KEY", secret, Optional.of(project));
                    LOG.infof("Bootstrap key %s opens project %s", secret, project);
                },
                () -> {
                    project();
                    LOG.info("No bootstrap key in the settings; the keys stay as they are");
                });
        configuredAdmin.ifPresent(
                text -> {
                    var secret = read("HOLDFAST_BOOTSTRAP_ADMIN_KEY", text);
                    admit("HOLDFAST_BOOTSTRAP_ADMIN_KEY", secret, Optional.empty());
                    LOG.infof("Bootstrap key %s administers the service", secret);
                });
    }

    private static KeySecret read(String setting, String text) {
        return KeySecret.read(text)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        setting
                                                + " is not e2b_ followed by 40 lower-case"
                                                + " hexadecimal digits"));
    }

    /** Two nodes that start at once do one after the other. */
    private void lock() {
        em.createNativeQuery("select pg_advisory_xact_lock(hashtextextended('bootstrap', 0))")
                .getResultList();
    }

    /** That of the bootstrap keys before, whatever it is called now; else made if missing. */
    private ProjectId project() {
        return em.createQuery(
                        "select k from ApiKey k where k.bootstrap and k.projectId is not null"
                                + " order by k.createdAt desc",
                        ApiKey.class)
                .setMaxResults(1)
                .getResultStream()
                .findFirst()
                .flatMap(ApiKey::project)
                .orElseGet(this::preset);
    }

    private ProjectId preset() {
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
                .getSingleResult()
                .id();
    }

    /**
     * @param project empty for a key of the service
     */
    private void admit(String setting, KeySecret secret, Optional<ProjectId> project) {
        var now = time.now();
        var same =
                em.createQuery("select k from ApiKey k where k.sha256 = :sha256", ApiKey.class)
                        .setParameter("sha256", secret.sha256())
                        .getResultStream()
                        .findFirst();
        if (same.filter(key -> !key.isBootstrap() || !key.project().equals(project)).isPresent()) {
            throw new IllegalStateException(
                    setting + " is a key that was issued to somebody; take another");
        }
        em.createQuery(
                        "select k from ApiKey k where k.bootstrap and k.revokedAt is null",
                        ApiKey.class)
                .getResultStream()
                .filter(key -> key.project().isPresent() == project.isPresent())
                .filter(key -> same.isEmpty() || !key.id().equals(same.get().id()))
                .forEach(key -> key.revoke(Principal.system(), now));
        // The unique index sees one live key only if the old one goes first.
        em.flush();
        same.ifPresentOrElse(
                ApiKey::reinstate, () -> em.persist(ApiKey.bootstrap(secret, project, now)));
    }
}
