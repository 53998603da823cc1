package dev.holdfast.quota;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** The counters of projects. Their rows are the locks under which everything takes its room. */
@Stateless
@TransactionAttribute(TransactionAttributeType.MANDATORY)
public class Usages {

    @PersistenceContext EntityManager em;
    @Inject QuotaConfig config;
    @Inject UsageDays days;
    @Inject Events events;
    @Inject Projects projects;
    @Inject DatabaseTime time;

    /** A project's counters, locked until the end of the caller's transaction. */
    public Level lock(ProjectId project) {
        return locked(project).level();
    }

    /**
     * Changes what a project stores, writes down for how long it stored what it stored before, and
     * warns if that comes near a limit.
     */
    public void change(ProjectId project, UnaryOperator<Level> change) {
        Usage usage = locked(project);
        days.settle(project, usage.change(change, time.now()));
        Allowance limit = projects.get(project).limit();
        usage.crossed(limit.bytes(), limit.snapshots(), config.warningPercent())
                .forEach(gauge -> warn(project, gauge));
    }

    private void warn(ProjectId project, Gauge gauge) {
        events.publish(
                new Event(
                        Event.project(project),
                        "STORAGE_WARNING_" + gauge.what().name(),
                        Notice.of(EventType.QUOTA_WARNING, project, project.value())
                                .with("of", gauge.what().name().toLowerCase(Locale.ROOT))
                                .with("used", gauge.used())
                                .with("limit", gauge.limit())));
    }

    private Usage locked(ProjectId project) {
        em.createNativeQuery(
                        "insert into project_usage (project_id) values (:project)"
                                + " on conflict do nothing")
                .setParameter("project", project.value())
                .executeUpdate();
        Usage usage = em.find(Usage.class, project.value(), LockModeType.PESSIMISTIC_WRITE);
        em.refresh(usage);
        return usage;
    }
}
