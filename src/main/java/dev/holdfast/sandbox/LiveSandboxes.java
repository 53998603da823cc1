package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.util.List;
import java.util.Locale;

/**
 * What runs and what is paused, page by page by number: a project has as many as its limit allows,
 * so an order needs no index of its own. SQL, because values are searched inside a JSON column.
 */
@Stateless
public class LiveSandboxes {

    private static final String MATCHING =
            " from sandbox s where s.project_id = :project and s.state <> 'ENDED'"
                    + " and s.state in (:states)";

    private static final String FOUND =
            " and (position(:search in s.id) > 0 or position(:search in lower(s.template_id)) > 0"
                    + " or position(:search in cast(s.snapshot_id as text)) > 0"
                    + " or exists (select 1 from jsonb_each_text(s.metadata) m"
                    + " where position(:search in lower(m.value)) > 0))";

    @PersistenceContext EntityManager em;

    @SuppressWarnings("unchecked")
    public List<Sandbox> page(ProjectId project, LiveSelection selection) {
        String direction = selection.ascending() ? "" : " desc";
        // A paused one has no end.
        String order =
                (selection.byEnd() ? "s.state = 'PAUSED', s.end_at" : "s.created_at")
                        + direction
                        + ", s.id"
                        + direction;
        String text = "select s.*" + matching(selection) + " order by " + order;
        return asked(em.createNativeQuery(text, Sandbox.class), project, selection)
                .setFirstResult(selection.skipped())
                .setMaxResults(selection.limit())
                .getResultList();
    }

    /** How many there are on all pages. */
    public long count(ProjectId project, LiveSelection selection) {
        String text = "select count(*)" + matching(selection);
        return ((Number) asked(em.createNativeQuery(text), project, selection).getSingleResult())
                .longValue();
    }

    private static String matching(LiveSelection selection) {
        return MATCHING + (selection.search().isPresent() ? FOUND : "");
    }

    private static Query asked(Query query, ProjectId project, LiveSelection selection) {
        query.setParameter("project", project.value());
        query.setParameter("states", selection.states().stream().map(Enum::name).toList());
        selection
                .search()
                .ifPresent(text -> query.setParameter("search", text.toLowerCase(Locale.ROOT)));
        return query;
    }
}
