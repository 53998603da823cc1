package dev.holdfast.quota;

import static dev.holdfast.quota.Columns.number;

import dev.holdfast.access.ProjectId;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** What each project stored on each day. */
@Stateless
public class UsageDays {

    private static final String ADD =
            """
            insert into usage_day as u
                (project_id, day, saved_byte_micros, paused_byte_micros, peak_bytes, snapshots)
            values (:project, :day, :saved, :paused, :peak, :snapshots)
            on conflict (project_id, day) do update set
                saved_byte_micros = u.saved_byte_micros + excluded.saved_byte_micros,
                paused_byte_micros = u.paused_byte_micros + excluded.paused_byte_micros,
                peak_bytes = greatest(u.peak_bytes, excluded.peak_bytes),
                snapshots = excluded.snapshots
            """;

    /** One statement, so that the days and what has been stored since belong to one moment. */
    private static final String HISTORY =
            """
            select statement_timestamp() as now, u.measured_at, u.stored_bytes, u.stored_count,
                u.paused_bytes, d.day - date '1970-01-01' as day, d.saved_byte_micros, d.paused_byte_micros, d.peak_bytes,
                d.snapshots
            from (select) one
            left join project_usage u on u.project_id = :project
            left join usage_day d on d.project_id = u.project_id
                and d.day > cast(statement_timestamp() at time zone 'UTC' as date) - :days
            order by d.day
            """;

    @PersistenceContext EntityManager em;
    @Inject QuotaConfig config;

    /** Adds a time to its days. Whoever calls it holds the project's usage row. */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void settle(ProjectId project, Span span) {
        List<UsageDay> touched = span.days();
        // Only the first may have a row already, which must learn also that nothing is left.
        add(project, touched.get(0));
        touched.stream().skip(1).filter(day -> !day.isEmpty()).forEach(day -> add(project, day));
        if (touched.size() > 1) {
            forgetBefore(project, touched.get(touched.size() - 1).day().minus(config.history()));
        }
    }

    /**
     * The last days of a project, today as far as it has come.
     *
     * @param days how many, today included
     */
    public History history(ProjectId project, int days) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Tuple> rows =
                em.createNativeQuery(HISTORY, Tuple.class)
                        .setParameter("project", project.value())
                        .setParameter("days", days)
                        .getResultList();
        Tuple any = rows.get(0);
        Instant now = any.get("now", Instant.class);
        List<UsageDay> settled =
                rows.stream().filter(row -> row.get("day") != null).map(UsageDays::day).toList();
        return History.of(settled, since(any, now), days);
    }

    private static Span since(Tuple row, Instant now) {
        Instant measured = row.get("measured_at", Instant.class);
        if (measured == null) {
            return new Span(now, now, Level.NOTHING);
        }
        // A change may have been committed after the statement began.
        return new Span(
                measured,
                measured.isAfter(now) ? measured : now,
                new Level(
                        number(row, "stored_bytes"),
                        number(row, "stored_count"),
                        number(row, "paused_bytes")));
    }

    private static UsageDay day(Tuple row) {
        return new UsageDay(
                LocalDate.ofEpochDay(number(row, "day")),
                byteTime(row, "saved_byte_micros"),
                byteTime(row, "paused_byte_micros"),
                number(row, "peak_bytes"),
                number(row, "snapshots"));
    }

    private static ByteTime byteTime(Tuple row, String column) {
        return new ByteTime(row.get(column, BigDecimal.class).toBigIntegerExact());
    }

    private void add(ProjectId project, UsageDay day) {
        em.createNativeQuery(ADD)
                .setParameter("project", project.value())
                .setParameter("day", day.day())
                .setParameter("saved", new BigDecimal(day.saved().byteMicros()))
                .setParameter("paused", new BigDecimal(day.paused().byteMicros()))
                .setParameter("peak", day.peakBytes())
                .setParameter("snapshots", day.snapshots())
                .executeUpdate();
    }

    private void forgetBefore(ProjectId project, LocalDate day) {
        em.createNativeQuery("delete from usage_day where project_id = :project and day < :day")
                .setParameter("project", project.value())
                .setParameter("day", day)
                .executeUpdate();
    }
}
