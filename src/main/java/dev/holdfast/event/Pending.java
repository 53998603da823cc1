package dev.holdfast.event;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.PersistenceContext;
import java.util.List;

/** What was written down and has no number yet. */
@Stateless
public class Pending {

    /** So many are numbered in one transaction. */
    static final int MOST = 2_000;

    /** In the order of the list, however many there are. */
    static final String WRITE =
            "insert into event_pending (project_id, type, kind, subject, details)"
                    + " select cast(n ->> 'project' as uuid), n ->> 'type', n ->> 'kind',"
                    + " n ->> 'subject', n -> 'details'"
                    + " from jsonb_array_elements(cast(:notices as jsonb)) with ordinality t(n, i)"
                    + " order by i";

    static final String ANY = "select exists (select 1 from event_pending)";

    static final String LOCK = "select last from event_log for update";

    /**
     * By the order in which they were written: who writes of a subject holds its row, so of two
     * about the same the one that was written first was committed before the other was written.
     */
    static final String NUMBER =
            "with moved as (delete from event_pending where id in"
                    + " (select id from event_pending order by id limit :most) returning *),"
                    + " numbered as (insert into event"
                    + " (position, at, project_id, type, kind, subject, details)"
                    + " select (select last from event_log) + row_number() over (order by id),"
                    + " at, project_id, type, kind, subject, details from moved returning 1)"
                    + " update event_log set last = last + (select count(*) from numbered)"
                    + " returning (select count(*) from numbered)";

    @PersistenceContext EntityManager em;

    /** In the transaction of what they tell, with one statement. */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void write(List<Notice> notices) {
        if (!notices.isEmpty()) {
            em.createNativeQuery(WRITE)
                    .setParameter("notices", json(notices))
                    // What the caller has changed is written when the caller wants it to be.
                    .setFlushMode(FlushModeType.COMMIT)
                    .executeUpdate();
        }
    }

    /**
     * Numbers some of what is committed. One does so at a time, on whatever node: a number that can
     * be read is never followed by a lower one.
     *
     * @return whether there may be more
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public boolean number() {
        if (!(Boolean) em.createNativeQuery(ANY, Boolean.class).getSingleResult()) {
            return false;
        }
        // A statement of its own: the next one sees all that was committed before it had the lock.
        em.createNativeQuery(LOCK, Long.class).getSingleResult();
        Long numbered =
                (Long)
                        em.createNativeQuery(NUMBER, Long.class)
                                .setParameter("most", MOST)
                                .getSingleResult();
        return numbered == MOST;
    }

    static String json(List<Notice> notices) {
        JsonArrayBuilder all = Json.createArrayBuilder();
        notices.forEach(notice -> all.add(json(notice)));
        return all.build().toString();
    }

    private static JsonObjectBuilder json(Notice notice) {
        JsonObjectBuilder details = Json.createObjectBuilder();
        notice.details().forEach(details::add);
        JsonObjectBuilder json =
                Json.createObjectBuilder()
                        .add("type", notice.type().word())
                        .add("kind", notice.type().kind())
                        .add("subject", notice.subject())
                        .add("details", details);
        notice.project().ifPresent(project -> json.add("project", project.toString()));
        return json;
    }
}
