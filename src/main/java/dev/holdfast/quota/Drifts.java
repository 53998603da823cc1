package dev.holdfast.quota;

import static dev.holdfast.quota.Columns.number;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import jakarta.persistence.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Counters that are not what the rows say. Rows and counters change in the same transactions and
 * are compared in one statement, so a capture that is just coming or going is no drift.
 */
@Stateless
public class Drifts {

    @PersistenceContext EntityManager em;
    @Inject Events events;
    @Inject Usages usages;

    /**
     * The projects whose counters are wrong.
     *
     * @param only looks at no other one
     */
    public List<Drift> found(Optional<ProjectId> only, int most) {
        Query query =
                em.createNativeQuery(
                        "select * from usage_drift"
                                + only.map(project -> " where project_id = :project").orElse("")
                                + " order by project_id",
                        Tuple.class);
        only.ifPresent(project -> query.setParameter("project", project.value()));
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Tuple> rows = query.setMaxResults(most).getResultList();
        return rows.stream().map(Drifts::drift).toList();
    }

    /**
     * Puts a project's counters right. The days that are settled stay as they are: nobody knows
     * since when the counters were wrong.
     *
     * @return what was wrong; empty when it has come right meanwhile
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Optional<Drift> repair(ProjectId project) {
        usages.lock(project);
        Optional<Drift> wrong = found(Optional.of(project), 1).stream().findFirst();
        wrong.ifPresent(this::repair);
        return wrong;
    }

    private void repair(Drift drift) {
        if (drift.isStale()) {
            em.createNativeQuery(
                            "delete from reservation where owner in (select owner from"
                                    + " reservation_stale where project_id = :project)")
                    .setParameter("project", drift.project().value())
                    .executeUpdate();
        }
        usages.change(drift.project(), counted -> drift.stored());
        events.publish(
                new Event(
                        Event.project(drift.project()),
                        "USAGE_REPAIRED",
                        Notice.of(
                                EventType.QUOTA_REPAIRED,
                                drift.project(),
                                drift.project().value())));
    }

    private static Drift drift(Tuple row) {
        return new Drift(
                new ProjectId(row.get("project_id", UUID.class)),
                new Level(
                        number(row, "counted_bytes"),
                        number(row, "counted_snapshots"),
                        number(row, "counted_paused")),
                new Level(
                        number(row, "stored_bytes"),
                        number(row, "stored_snapshots"),
                        number(row, "stored_paused")),
                new Charge(number(row, "stale_bytes"), number(row, "stale_reservations")));
    }
}
