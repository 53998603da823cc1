package dev.holdfast.event;

import dev.holdfast.database.StringMapConverter;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What happened, in one order that every reader sees alike, as long as it is kept. */
@Stateless
public class EventLog {

    /** What a reader numbers at the most before it reads; whatever is left comes with the next. */
    private static final int MOST_ROUNDS = 50;

    private static final int MOST_PURGED = 10_000;

    private static final String SELECT =
            "select position, at, project_id, type, kind, subject, cast(details as text)"
                    + " from event where position > :after";

    private static final String PURGE =
            "with gone as (delete from event where position in (select position from event"
                    + " where at < clock_timestamp() - make_interval(secs => :age)"
                    + " order by position limit :most) returning position)"
                    + " update event_log set purged ="
                    + " greatest(purged, (select max(position) from gone))"
                    + " returning (select count(*) from gone)";

    @PersistenceContext EntityManager em;
    @Inject EventConfig config;
    @Inject Pending pending;

    private final StringMapConverter details = new StringMapConverter();

    /** A page of what was committed before the call. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public EventPage read(EventQuery query) {
        numberAll();
        return numbered(query);
    }

    /** The same of what has its number already. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public EventPage numbered(EventQuery query) {
        StringBuilder text = new StringBuilder(SELECT);
        query.project().ifPresent(each -> text.append(" and project_id = :project"));
        query.kind().ifPresent(each -> text.append(" and kind = :kind"));
        query.subject().ifPresent(each -> text.append(" and subject = :subject"));
        Query rows = em.createNativeQuery(text.append(" order by position").toString());
        rows.setParameter("after", query.after().position()).setMaxResults(query.limit());
        query.project().ifPresent(each -> rows.setParameter("project", each));
        query.kind().ifPresent(each -> rows.setParameter("kind", each));
        query.subject().ifPresent(each -> rows.setParameter("subject", each));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> found = rows.getResultList();
        // Asked after it was read: what was purged in between shows.
        return new EventPage(found.stream().map(this::entry).toList(), isGap(query.after()));
    }

    /** The last that has its number, all that was committed before the call among them. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public EventId last() {
        numberAll();
        return new EventId(number("last"));
    }

    /** One, if it is still kept. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<EventEntry> find(EventId id) {
        Query row = em.createNativeQuery(SELECT + " and position <= :after + 1");
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> found = row.setParameter("after", id.position() - 1).getResultList();
        return found.stream().findFirst().map(this::entry);
    }

    /** The projects that something happened to between two events. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public List<UUID> projects(EventId after, EventId until) {
        List<?> rows =
                em.createNativeQuery(
                                "select distinct project_id from event where position > :after"
                                        + " and position <= :until and project_id is not null",
                                UUID.class)
                        .setParameter("after", after.position())
                        .setParameter("until", until.position())
                        .getResultList();
        return rows.stream().map(UUID.class::cast).toList();
    }

    /** Removes some of those that are older than is kept; to be repeated until it answers 0. */
    public int purge() {
        return purge(config.retention);
    }

    private int purge(Duration kept) {
        return ((Long)
                        em.createNativeQuery(PURGE, Long.class)
                                .setParameter("age", (double) kept.toSeconds())
                                .setParameter("most", MOST_PURGED)
                                .getSingleResult())
                .intValue();
    }

    private void numberAll() {
        for (int round = 0; round < MOST_ROUNDS && pending.number(); round++) {
            // one transaction each
        }
    }

    private boolean isGap(EventId after) {
        return after.position() > number("last")
                || after.position() > 0 && after.position() < number("purged");
    }

    private long number(String column) {
        return (Long)
                em.createNativeQuery("select " + column + " from event_log", Long.class)
                        .getSingleResult();
    }

    private EventEntry entry(Object[] row) {
        return new EventEntry(
                new EventId(((Number) row[0]).longValue()),
                (Instant) row[1],
                Optional.ofNullable((UUID) row[2]),
                (String) row[3],
                (String) row[4],
                (String) row[5],
                details.convertToEntityAttribute((String) row[6]));
    }
}
