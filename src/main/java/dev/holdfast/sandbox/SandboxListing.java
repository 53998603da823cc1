package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.StringMapConverter;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists sandboxes; SQL, because labels are matched inside a JSON column. */
@Stateless
public class SandboxListing {

    @PersistenceContext EntityManager em;

    /** The matching sandboxes by start, ties by ID; the ascending order is the exact reverse. */
    @SuppressWarnings("unchecked")
    public List<Sandbox> list(ProjectId project, SandboxQuery query) {
        Map<String, Object> values = new LinkedHashMap<>();
        String where = where(project, query, values);
        query.after()
                .ifPresent(
                        place -> {
                            values.put("at", place.startedAt());
                            values.put("after", place.id().value());
                        });
        String beyond =
                query.after().isEmpty()
                        ? ""
                        : query.ascending()
                                ? " and (started_at > :at or (started_at = :at and id < :after))"
                                : " and (started_at < :at or (started_at = :at and id > :after))";
        String order =
                query.ascending()
                        ? " order by started_at, id desc"
                        : " order by started_at desc, id";
        Query rows =
                em.createNativeQuery(
                        "select * from sandbox where " + where + beyond + order, Sandbox.class);
        values.forEach(rows::setParameter);
        return rows.setMaxResults(query.limit()).getResultList();
    }

    /** How many run, whatever the list is filtered by. */
    public long countRunning(ProjectId project) {
        return ((Number)
                        em.createNativeQuery(
                                        "select count(*) from sandbox where project_id = :project"
                                                + " and state in ('RUNNING', 'SNAPSHOTTING')")
                                .setParameter("project", project.value())
                                .getSingleResult())
                .longValue();
    }

    private static String where(ProjectId project, SandboxQuery query, Map<String, Object> values) {
        StringBuilder where = new StringBuilder("project_id = :project and state in (:states)");
        where.append(" and started_at is not null");
        values.put("project", project.value());
        values.put("states", query.states().stream().map(Enum::name).toList());
        if (!query.metadata().isEmpty()) {
            where.append(" and metadata @> cast(:metadata as jsonb)");
            values.put(
                    "metadata", new StringMapConverter().convertToDatabaseColumn(query.metadata()));
        }
        query.template()
                .ifPresent(
                        template -> {
                            where.append(" and template_id = :template");
                            values.put("template", template);
                        });
        query.startedAfter()
                .ifPresent(
                        moment -> {
                            where.append(" and started_at >= :since");
                            values.put("since", moment);
                        });
        return where.toString();
    }
}
