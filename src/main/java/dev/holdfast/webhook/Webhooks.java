package dev.holdfast.webhook;

import dev.holdfast.access.Principal;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.database.Secrets;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventLog;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The endpoints of projects. */
@Stateless
public class Webhooks {

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject WebhookConfig config;
    @Inject DatabaseTime time;
    @Inject EventLog log;
    @Inject Projects projects;
    @Inject Secrets secrets;

    /** All of a project, which are few, the oldest first. */
    public List<Webhook> list(ProjectId project) {
        return em.createQuery(
                        "select w from Webhook w where w.projectId = :project"
                                + " order by w.createdAt, w.id",
                        Webhook.class)
                .setParameter("project", project.value())
                .getResultList();
    }

    /**
     * @throws Problem {@code webhook_not_found}
     */
    public Webhook get(ProjectId project, WebhookId id) {
        return found(project, id, LockModeType.NONE);
    }

    /**
     * It hears of what happens from now on.
     *
     * @throws Problem {@code invalid_parameter}, {@code webhook_limit_reached}
     */
    public Webhook add(ProjectId project, WebhookTerms terms, Principal by) {
        requireAllowed(terms);
        EventId last = log.last();
        projects.lock(project);
        int have = list(project).size();
        if (have >= config.most) {
            throw new Problem(
                            Reason.WEBHOOK_LIMIT_REACHED,
                            "This project has %d webhooks, which is all it may have. Delete one first."
                                    .formatted(have))
                    .with("limit", config.most);
        }
        Webhook made = new Webhook(project, terms, last.position(), by.text(), time.now());
        em.persist(made);
        audit.done(Deeds.of(Action.WEBHOOK_CREATE, made));
        return made;
    }

    /**
     * All that is asked for or nothing. Of what happens while it is disabled nothing is lost, as
     * long as events are kept; {@link Deliveries#hasten} has it sent soon.
     *
     * @param enabled empty: as it is
     * @throws Problem {@code invalid_parameter}, {@code webhook_not_found}
     */
    public Webhook change(
            ProjectId project,
            WebhookId id,
            UnaryOperator<WebhookTerms> change,
            Optional<Boolean> enabled) {
        Webhook webhook = locked(project, id);
        WebhookTerms terms = change.apply(webhook.terms());
        requireAllowed(terms);
        webhook.change(terms);
        enabled.ifPresent(
                wanted -> {
                    if (wanted) {
                        webhook.enable();
                    } else {
                        webhook.disable("disabled by its owner");
                    }
                });
        audit.done(Deeds.of(Action.WEBHOOK_CHANGE, webhook).with("enabled", enabled.orElse(null)));
        return webhook;
    }

    /** Another secret; the one before is good for some time. */
    public Webhook rotate(ProjectId project, WebhookId id) {
        Webhook webhook = locked(project, id);
        webhook.rotate(time.now().plus(config.rotation));
        audit.done(Deeds.of(Action.WEBHOOK_ROTATE, webhook));
        return webhook;
    }

    /** Gone at once; its deliveries, of which nobody hears any more, go after it. */
    public void remove(ProjectId project, WebhookId id) {
        Webhook webhook = locked(project, id);
        em.remove(webhook);
        audit.done(Deeds.of(Action.WEBHOOK_DELETE, webhook));
    }

    /** To be shown when it is made, and never again. */
    public String secret(Webhook webhook) {
        return webhook.secret(secrets.tokenSecret()).text();
    }

    private void requireAllowed(WebhookTerms terms) {
        if (!terms.destination().isSecure() && !config.insecure) {
            throw Problem.invalid("url", "\"url\" begins with https://.");
        }
    }

    private Webhook locked(ProjectId project, WebhookId id) {
        return found(project, id, LockModeType.PESSIMISTIC_WRITE);
    }

    private Webhook found(ProjectId project, WebhookId id, LockModeType lock) {
        Webhook found = em.find(Webhook.class, id.value(), lock);
        if (found == null || !found.project().equals(project)) {
            throw new Problem(
                    Reason.WEBHOOK_NOT_FOUND, "There is no webhook " + id + " in this project.");
        }
        return found;
    }
}
