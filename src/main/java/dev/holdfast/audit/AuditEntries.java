package dev.holdfast.audit;

import dev.holdfast.database.DatabaseTime;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the entries, and lets the old ones go. */
@ApplicationScoped
@Transactional
public class AuditEntries {
    private static final int PAGE = 500;
    private static final int MOST_PURGED = 10_000;

    @PersistenceContext EntityManager em;
    @Inject AuditConfig config;
    @Inject DatabaseTime time;

    /** A page. */
    public List<AuditEntry> list(AuditQuery query) {
        Map<String, Object> values = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder("select e from AuditEntry e where ");
        text.append(query.project().isPresent() ? "e.projectId = :project" : "e.service");
        query.project().ifPresent(each -> values.put("project", each));
        query.principal()
                .ifPresent(
                        each -> and(text, values, "e.principal = :principal", "principal", each));
        query.action()
                .ifPresent(each -> and(text, values, "e.action = :action", "action", each.word()));
        query.subject()
                .ifPresent(each -> and(text, values, "e.subjectId = :subject", "subject", each));
        query.outcome()
                .ifPresent(each -> and(text, values, "e.outcome = :outcome", "outcome", each));
        query.from().ifPresent(each -> and(text, values, "e.at >= :from", "from", each));
        query.to().ifPresent(each -> and(text, values, "e.at < :to", "to", each));
        query.after()
                .ifPresent(
                        place -> {
                            values.put("id", place.id());
                            and(
                                    text,
                                    values,
                                    // The first condition alone is a bound of the index.
                                    "e.at <= :at and (e.at < :at or e.id < :id)",
                                    "at",
                                    place.at());
                        });
        text.append(" order by e.at desc, e.id desc");
        TypedQuery<AuditEntry> typed =
                em.createQuery(text.toString(), AuditEntry.class).setMaxResults(query.limit());
        values.forEach(typed::setParameter);
        return typed.getResultList();
    }

    /**
     * All of them one after another, however many, of which only a page is held at a time and no
     * transaction is open while the reader reads. What is written meanwhile is not in it.
     */
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    public void each(AuditQuery query, Consumer<AuditEntry> reader) {
        AuditQuery next =
                new AuditQuery(
                        query.project(),
                        query.principal(),
                        query.action(),
                        query.subject(),
                        query.outcome(),
                        query.from(),
                        query.to().or(() -> Optional.of(time.now())),
                        query.after(),
                        PAGE);
        List<AuditEntry> page;
        do {
            page = list(next);
            page.forEach(reader);
            next = page.isEmpty() ? next : next.behind(page.get(page.size() - 1));
        } while (page.size() == PAGE);
    }

    /** Removes some of those that are older than is kept; to be repeated until it answers 0. */
    public int purge() {
        return em.createNativeQuery(
                        "delete from audit_entry where id in (select id from audit_entry"
                                + " where at < :before limit :most)")
                .setParameter("before", time.now().minus(config.retention))
                .setParameter("most", MOST_PURGED)
                .executeUpdate();
    }

    private static void and(
            StringBuilder text,
            Map<String, Object> values,
            String condition,
            String name,
            Object value) {
        text.append(" and ").append(condition);
        values.put(name, value);
    }
}
