package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Snapshot;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceUnit;
import jakarta.persistence.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.query.Query;

/** Lists snapshots, by the statements of {@link ListingText}. */
@Stateless
public class Listings {

    /**
     * For this transaction: a plan for these values, and no compiling of what ends after a page.
     */
    static final String PLANNING =
            "select set_config('plan_cache_mode', 'force_custom_plan', true),"
                    + " set_config('jit', 'off', true)";

    /** Hops from one kind to the next, so that it reads as many rows as there are kinds. */
    static final String KINDS =
            "with recursive kind as ((select s.needs, s.id from snapshot s"
                    + " where s.project_id = :project and s.kind in "
                    + Kind.LISTED
                    + " and s.state = 'SAVED' order by s.needs limit 1)"
                    + " union all select n.needs, n.id from kind k cross join lateral"
                    + " (select s.needs, s.id from snapshot s"
                    + " where s.project_id = :project and s.kind in "
                    + Kind.LISTED
                    + " and s.state = 'SAVED' and s.needs > k.needs order by s.needs limit 1) n)"
                    + " select k.needs as needs, case when p.able then 'RESTORABLE'"
                    + " when p.asked > 0 then 'INCOMPATIBLE_RUNTIME' else 'NO_WORKER' end as answer"
                    + " from kind k cross join lateral (select count(*) as asked,"
                    + " bool_or(cardinality(o.differs) = 0) as able from snapshot_place o"
                    + " where o.snapshot_id = k.id) p";

    @PersistenceUnit EntityManagerFactory factory;

    /**
     * How many there are and how many bytes they take.
     *
     * @param exact otherwise there are more, and only the first so many were looked at
     */
    public record Sums(long count, long bytes, boolean exact) {}

    /** To be looked at only: nobody keeps them, so that no later statement looks for changes. */
    public Page page(Listing listing) {
        return reading(session -> page(session, listing));
    }

    private static Page page(StatelessSession session, Listing listing) {
        ListingText text =
                ListingText.page(listing, kinds(session, listing.project(), listing.selection()));
        List<Snapshot> rows =
                new ArrayList<>(
                        query(session.createNativeQuery(text.sql(), Snapshot.class), text)
                                .setReadOnly(true) // or each has its JSON written to be compared
                                .getResultList());
        boolean more = rows.size() > listing.limit();
        if (more) {
            rows.remove(rows.size() - 1);
        }
        if (listing.backwards()) {
            Collections.reverse(rows);
        }
        return new Page(rows, more);
    }

    public Sums sums(ProjectId project, Optional<Slug> slug, Selection selection) {
        Object[] sums =
                reading(
                        session -> {
                            ListingText text =
                                    ListingText.sums(
                                            project,
                                            slug,
                                            selection,
                                            kinds(session, project, selection),
                                            Listing.COUNTED + 1);
                            return query(
                                            session.createNativeQuery(text.sql(), Object[].class),
                                            text)
                                    .getSingleResult();
                        });
        long count = ((Number) sums[0]).longValue();
        return new Sums(
                Math.min(count, Listing.COUNTED),
                ((Number) sums[1]).longValue(),
                count <= Listing.COUNTED);
    }

    /** How many of them are pinned or held; no more than are counted at all. */
    public long guarded(ProjectId project, Optional<Slug> slug, Selection selection) {
        return reading(
                session -> {
                    ListingText text =
                            ListingText.guarded(
                                    project,
                                    slug,
                                    selection,
                                    kinds(session, project, selection),
                                    Listing.COUNTED);
                    return query(session.createNativeQuery(text.sql(), Long.class), text)
                            .getSingleResult();
                });
    }

    private <T> T reading(Function<StatelessSession, T> what) {
        try (StatelessSession session =
                factory.unwrap(SessionFactory.class).openStatelessSession()) {
            session.createNativeQuery(PLANNING, Object[].class).getSingleResult();
            return what.apply(session);
        }
    }

    private static Kinds kinds(StatelessSession session, ProjectId project, Selection selection) {
        if (selection.restorability().isEmpty()) {
            return Kinds.NOT_ASKED;
        }
        Map<String, Restorability> answers = new HashMap<>();
        session.createNativeQuery(KINDS, Tuple.class)
                .setParameter("project", project.value())
                .getResultList()
                .forEach(
                        kind ->
                                answers.put(
                                        kind.get("needs", String.class),
                                        Restorability.valueOf(kind.get("answer", String.class))));
        return new Kinds(answers);
    }

    private static <T> Query<T> query(Query<T> query, ListingText text) {
        // Where nothing can match, nothing is asked of the values.
        query.getParameters()
                .forEach(
                        each ->
                                query.setParameter(
                                        each.getName(), text.values().get(each.getName())));
        return query;
    }
}
