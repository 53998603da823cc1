package dev.holdfast.webhook;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.database.Secrets;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventLog;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What is on its way to endpoints. Any node takes what is due; what a node took and did not settle
 * in time is due again, under the same ID.
 */
@Stateless
public class Deliveries {

    private static final int MOST_TOLD = 500;
    private static final int MOST_PURGED = 5_000;

    /** How long a node may be silent about what it took: longer than any endpoint may take. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final String BEHIND =
            "select w.id from webhook w where w.state = 'ACTIVE' and w.position < :last"
                    + " and exists (select 1 from event e where e.project_id = w.project_id"
                    + " and e.position > w.position and e.position <= :last)"
                    + " order by w.position limit 100";

    /** How far the log is read in one go. */
    private static final String REACH =
            "select coalesce(max(position), 0), count(*) from (select position from event"
                    + " where project_id = :project and position > :from and position <= :last"
                    + " order by position limit :most) e";

    private static final String TELL =
            "insert into webhook_delivery (webhook_id, position, type, kind, subject, happened_at)"
                    + " select :webhook, position, type, kind, subject, at from event"
                    + " where project_id = :project and position > :from and position <= :to"
                    + " and (:types = '' or type = any (string_to_array(:types, ' ')))"
                    + " order by position on conflict do nothing";

    private static final String DUE =
            "select w.id, w.project_id from webhook w where w.state = 'ACTIVE' and exists"
                    + " (select 1 from webhook_delivery d where d.webhook_id = w.id"
                    + " and d.state = 'PENDING' and d.due_at <= clock_timestamp()"
                    + " and coalesce(d.claimed_until, d.due_at) <= clock_timestamp())"
                    + " order by random() limit 1000";

    /** Of one subject nothing is tried before all that happened to it earlier is settled. */
    private static final String CLAIM =
            "update webhook_delivery set claimed_until = clock_timestamp()"
                    + " + make_interval(secs => :secs), first_at = coalesce(first_at,"
                    + " clock_timestamp()) where id in (select d.id from webhook_delivery d"
                    + " where d.webhook_id = :webhook and d.state = 'PENDING'"
                    + " and d.due_at <= clock_timestamp()"
                    + " and coalesce(d.claimed_until, d.due_at) <= clock_timestamp()"
                    + " and not exists (select 1 from webhook_delivery b"
                    + " where b.webhook_id = d.webhook_id and b.kind = d.kind"
                    + " and b.subject = d.subject and b.state = 'PENDING'"
                    + " and b.position < d.position)"
                    + " order by d.position limit :most for update skip locked)"
                    + " returning id, position, claimed_until";

    /** Only by whoever has it, or by whoever has brought it. */
    private static final String SETTLE =
            "update webhook_delivery set state = :state, attempts = attempts + 1,"
                    + " claimed_until = null, last_at = clock_timestamp(),"
                    + " due_at = clock_timestamp() + make_interval(secs => :wait),"
                    + " status = nullif(:status, 0), detail = :detail"
                    + " where id = :id and state = 'PENDING'"
                    + " and (claimed_until = :claim or :state = 'DELIVERED')";

    private static final String SELECT =
            "select d.id, d.position, d.type, d.happened_at, d.state, d.attempts, d.due_at,"
                    + " d.last_at, d.status, d.detail from webhook_delivery d"
                    + " where d.webhook_id = :webhook";

    private static final String AGAIN =
            "update webhook_delivery set state = 'PENDING', attempts = 0, first_at = null,"
                    + " claimed_until = null, due_at = clock_timestamp()"
                    + " where webhook_id = :webhook and state <> 'PENDING'";

    private static final String SOON =
            "update webhook_delivery set due_at = clock_timestamp(), attempts = 0, first_at = null"
                    + " where webhook_id = :webhook and state = 'PENDING'";

    /** Some of an endpoint's, between two numbers. */
    private static final String SOME =
            "select id from webhook_delivery where webhook_id = :webhook and id > :after"
                    + " and id <= :until";

    private static final String PURGE_OVER =
            "select id from webhook_delivery where state <> 'PENDING' and last_at <"
                    + " clock_timestamp() - make_interval(secs => :age) limit :most";

    private static final String PURGE_ORPHANS =
            "select d.id from webhook_delivery d where not exists"
                    + " (select 1 from webhook w where w.id = d.webhook_id) limit :most";

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject WebhookConfig config;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject EventLog log;
    @Inject Secrets secrets;
    @Inject Steps steps;

    /** Whether there is anybody to be told. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public boolean any() {
        return (Boolean)
                em.createNativeQuery(
                                "select exists (select 1 from webhook where state = 'ACTIVE')",
                                Boolean.class)
                        .getSingleResult();
    }

    /** Some endpoints in whose projects something happened since they were told. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public List<WebhookId> behind(EventId last) {
        return ids(em.createNativeQuery(BEHIND, UUID.class).setParameter("last", last.position()));
    }

    /**
     * Makes the deliveries of what happened since the last time, in the order of the log.
     *
     * @return whether there is more
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public boolean tell(WebhookId id, EventId last) {
        Webhook webhook = em.find(Webhook.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (webhook == null
                || webhook.state() != Webhook.State.ACTIVE
                || webhook.position() >= last.position()) {
            return false;
        }
        Object[] reach =
                (Object[])
                        em.createNativeQuery(REACH)
                                .setParameter("project", webhook.project().value())
                                .setParameter("from", webhook.position())
                                .setParameter("last", last.position())
                                .setParameter("most", MOST_TOLD)
                                .getSingleResult();
        boolean more = ((Number) reach[1]).intValue() == MOST_TOLD;
        long to = more ? ((Number) reach[0]).longValue() : last.position();
        em.createNativeQuery(TELL)
                .setParameter("webhook", id.value())
                .setParameter("project", webhook.project().value())
                .setParameter("from", webhook.position())
                .setParameter("to", to)
                .setParameter("types", webhook.terms().text())
                .executeUpdate();
        webhook.told(to);
        return more;
    }

    /** The endpoints that something is due for, in any order. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public List<Owed> due() {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows = em.createNativeQuery(DUE).getResultList();
        return rows.stream()
                .map(row -> new Owed(new WebhookId((UUID) row[0]), new ProjectId((UUID) row[1])))
                .toList();
    }

    /** Takes some of what is due; nobody else tries it for as long as a try may take. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public List<Shipment> claim(WebhookId id, int most) {
        Webhook webhook = em.find(Webhook.class, id.value());
        if (webhook == null || webhook.state() != Webhook.State.ACTIVE) {
            return List.of();
        }
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> taken =
                em.createNativeQuery(CLAIM)
                        .setParameter("webhook", id.value())
                        .setParameter("most", most)
                        .setParameter("secs", (double) config.patience.plus(GRACE).toSeconds())
                        .getResultList();
        List<Shipment> shipments = new ArrayList<>();
        for (Object[] row : taken) {
            long number = ((Number) row[0]).longValue();
            EventId event = new EventId(((Number) row[1]).longValue());
            Instant claim = (Instant) row[2];
            log.find(event)
                    .ifPresentOrElse(
                            entry ->
                                    shipments.add(
                                            new Shipment(
                                                    number,
                                                    id,
                                                    webhook.project(),
                                                    claim,
                                                    event.toString(),
                                                    Body.of(entry),
                                                    webhook.terms().destination(),
                                                    webhook.secrets(
                                                            secrets.tokenSecret(), time.now()))),
                            () -> giveUp(number, claim, "the event is not kept any more"));
        }
        return shipments;
    }

    /** What came of a try; nothing where somebody else has tried since, unless it was taken. */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void settle(Shipment shipment, Answer answer) {
        Webhook webhook =
                em.find(Webhook.class, shipment.webhook().value(), LockModeType.PESSIMISTIC_WRITE);
        if (webhook == null) {
            return; // deleted meanwhile; its deliveries go in steps
        }
        long number = shipment.number();
        Instant claim = shipment.claimedUntil();
        if (answer.isTaken()) {
            if (settle(number, claim, "DELIVERED", Duration.ZERO, answer)) {
                webhook.taken();
            }
            return;
        }
        Object[] row =
                (Object[])
                        em.createNativeQuery(
                                        "select attempts, extract(epoch from clock_timestamp()"
                                                + " - coalesce(first_at, clock_timestamp()))"
                                                + " from webhook_delivery where id = :id")
                                .setParameter("id", number)
                                .getSingleResult();
        Optional<Duration> wait =
                Backoff.after(
                        ((Number) row[0]).intValue() + 1,
                        Duration.ofSeconds(((Number) row[1]).longValue()),
                        ThreadLocalRandom.current().nextDouble());
        String state = wait.isPresent() ? "PENDING" : "FAILED";
        if (!settle(number, claim, state, wait.orElse(Duration.ZERO), answer)) {
            return;
        }
        if (answer.isGone()) {
            disable(webhook, "it answered 410: it wants no more deliveries");
        } else if (webhook.failed(time.now(), config.deadAfter)) {
            disable(webhook, "it has taken no delivery since " + webhook.failingSince().get());
        } else if (wait.isEmpty() && isIdle(webhook)) {
            webhook.rests(); // the next failure is the first of its own time
        }
    }

    private boolean isIdle(Webhook webhook) {
        return (Boolean)
                em.createNativeQuery(
                                "select not exists (select 1 from webhook_delivery where"
                                        + " webhook_id = :webhook and state = 'PENDING')",
                                Boolean.class)
                        .setParameter("webhook", webhook.id().value())
                        .getSingleResult();
    }

    private void disable(Webhook webhook, String why) {
        if (webhook.disable(why)) {
            audit.done(Deeds.of(Action.WEBHOOK_CHANGE, webhook).with("disabled", why));
            events.publish(
                    new Event(
                            "webhook:" + webhook.id(),
                            webhook.state().name(),
                            Notice.of(
                                            EventType.WEBHOOK_DISABLED,
                                            webhook.id(),
                                            webhook.project().value())
                                    .with("reason", why)));
        }
    }

    /**
     * @return false when somebody else has it by now, or it is over
     */
    private boolean settle(long number, Instant claim, String state, Duration wait, Answer answer) {
        return em.createNativeQuery(SETTLE)
                        .setParameter("state", state)
                        .setParameter("wait", wait.toMillis() / 1000.0)
                        .setParameter("status", answer.status().orElse(0))
                        .setParameter("detail", answer.detail())
                        .setParameter("id", number)
                        .setParameter("claim", claim)
                        .executeUpdate()
                > 0;
    }

    private void giveUp(long number, Instant claim, String why) {
        settle(number, claim, "FAILED", Duration.ZERO, Answer.none(why));
    }

    /** The log of an endpoint's deliveries, the newest event first. */
    public List<Delivery> list(
            WebhookId id, Optional<Delivery.State> state, Optional<EventId> before, int most) {
        Query rows =
                em.createNativeQuery(
                        SELECT
                                + (state.isPresent() ? " and d.state = :state" : "")
                                + (before.isPresent() ? " and d.position < :before" : "")
                                + " order by d.position desc");
        rows.setParameter("webhook", id.value()).setMaxResults(most);
        state.ifPresent(each -> rows.setParameter("state", each.name()));
        before.ifPresent(each -> rows.setParameter("before", each.position()));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> found = rows.getResultList();
        return found.stream().map(Deliveries::delivery).toList();
    }

    /**
     * Sends one that is over once more, under its ID.
     *
     * @throws Problem {@code delivery_not_found}
     */
    public void replay(Webhook webhook, EventId event) {
        int again =
                em.createNativeQuery(AGAIN + " and position = :position")
                        .setParameter("webhook", webhook.id().value())
                        .setParameter("position", event.position())
                        .executeUpdate();
        if (again == 0 && list(webhook.id(), event).isEmpty()) {
            throw new Problem(
                    Reason.DELIVERY_NOT_FOUND,
                    "This webhook has no delivery of the event %s. The log is kept for %s."
                            .formatted(event, config.retention));
        }
        audit.done(Deeds.of(Action.WEBHOOK_REPLAY, webhook).with("event", event));
    }

    /**
     * Sends some once more that happened since then and were over when the first of these steps
     * began, under their IDs.
     *
     * @param before what the step before has done
     */
    public Steps.Done replay(Webhook webhook, Instant since, Steps.Done before) {
        UUID id = webhook.id().value();
        Steps.Done from = before;
        if (before.isNothing()) {
            audit.done(Deeds.of(Action.WEBHOOK_REPLAY, webhook).with("since", since));
            from = steps.begin(id);
        }
        return steps.step(
                SOME + " and state <> 'PENDING' and last_at < :begun and happened_at >= :since",
                AGAIN,
                Map.of("webhook", id, "since", since, "begun", from.begun()),
                from);
    }

    /** Has some of what waits for its next try tried now, as if it were the first. */
    public Steps.Done hasten(WebhookId id, Steps.Done before) {
        return steps.step(
                SOME + " and state = 'PENDING'",
                SOON,
                Map.of("webhook", id.value()),
                before.isNothing() ? steps.begin(id.value()) : before);
    }

    /** Removes some of what was over long ago or is nobody's; to be repeated until it answers 0. */
    public int purge() {
        int over = purge(PURGE_OVER, Map.of("age", (double) config.retention.toSeconds()));
        return over > 0 ? over : purge(PURGE_ORPHANS, Map.of());
    }

    /** The same of an endpoint that was removed. */
    public int purge(WebhookId id) {
        return purge(
                "select id from webhook_delivery where webhook_id = :webhook limit :most",
                Map.of("webhook", id.value()));
    }

    private int purge(String which, Map<String, Object> values) {
        Query purge =
                em.createNativeQuery("delete from webhook_delivery where id in (" + which + ")")
                        .setParameter("most", MOST_PURGED);
        values.forEach(purge::setParameter);
        return purge.executeUpdate();
    }

    private List<?> list(WebhookId id, EventId event) {
        return em.createNativeQuery(
                        "select id from webhook_delivery where webhook_id = :webhook"
                                + " and position = :position",
                        Long.class)
                .setParameter("webhook", id.value())
                .setParameter("position", event.position())
                .getResultList();
    }

    private static List<WebhookId> ids(Query query) {
        List<?> rows = query.getResultList();
        return rows.stream().map(row -> new WebhookId((UUID) row)).toList();
    }

    private static Delivery delivery(Object[] row) {
        Delivery.State state = Delivery.State.valueOf((String) row[4]);
        return new Delivery(
                ((Number) row[0]).longValue(),
                new EventId(((Number) row[1]).longValue()),
                (String) row[2],
                (Instant) row[3],
                state,
                ((Number) row[5]).intValue(),
                Optional.of((Instant) row[6]).filter(at -> state == Delivery.State.PENDING),
                Optional.ofNullable((Instant) row[7]),
                Optional.ofNullable((Number) row[8]).map(Number::intValue),
                Optional.ofNullable((String) row[9]));
    }
}
