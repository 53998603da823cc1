package dev.holdfast.audit;

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

/** Reads the entries. */
@ApplicationScoped
@Transactional
public class AuditEntries {

    /** As many are held at a time when all are read. */
    public static final int PAGE = 500;

    /** One that this audit does not keep any more may be in the service's still. */
    private static final String LISTED =
            "select e, l from AuditEntry e left join Link l on l.entryId = e.id"
                    + " and l.place.chain = :chain left join Link o on o.entryId = e.id"
                    + " and o.place.chain <> :chain"
                    + " where (l.entryId is not null or o.entryId is null) and ";

    @PersistenceContext EntityManager em;
    @Inject Chains chains;
    @Inject Linking linking;

    /**
     * An entry in an audit.
     *
     * @param link its place in the chain; empty for a moment after it was written
     */
    public record Listed(AuditEntry entry, Optional<Link> link) {}

    /** A page. */
    public List<Listed> list(AuditQuery query) {
        return list(query, Optional.empty());
    }

    /**
     * @param last empty: also those without a place
     */
    private List<Listed> list(AuditQuery query, Optional<Long> last) {
        Map<String, Object> values = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder(LISTED);
        values.put("chain", query.project().orElse(Chain.SERVICE));
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
        last.ifPresent(each -> and(text, values, "l.place.position <= :last", "last", each));
        text.append(" order by e.at desc, e.id desc");
        TypedQuery<Object[]> typed =
                em.createQuery(text.toString(), Object[].class).setMaxResults(query.limit());
        values.forEach(typed::setParameter);
        return typed.getResultList().stream()
                .map(row -> new Listed((AuditEntry) row[0], Optional.ofNullable((Link) row[1])))
                .toList();
    }

    /**
     * All of them one after another, however many, of which only as many are held at a time as the
     * query's limit says, and no transaction is open while the reader reads. All have their places
     * in the chain: what gets one later is not in it, whatever its time.
     */
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    public void each(AuditQuery query, Consumer<Listed> reader) {
        linking.linkSome();
        long last = chains.find(query.project()).head().position();
        AuditQuery next = query;
        List<Listed> page;
        do {
            page = list(next, Optional.of(last));
            page.forEach(reader);
            next = page.isEmpty() ? next : next.behind(page.get(page.size() - 1).entry());
        } while (page.size() == query.limit());
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
