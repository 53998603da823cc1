package dev.holdfast.webhook;

import dev.holdfast.database.DatabaseTime;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Changes any number of deliveries a step at a time, each in a transaction of its caller. */
@Dependent
public class Steps {

    private static final int MOST = 2_000;

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /**
     * What a step has done.
     *
     * @param last behind which the next one begins
     * @param more whether there is a next one
     * @param until the newest there was when the first of them began
     * @param begun when that was
     */
    public record Done(int changed, long last, boolean more, long until, Instant begun) {

        /** Before the first step. */
        static final Done NOTHING = new Done(0, 0, true, 0, Instant.EPOCH);

        boolean isNothing() {
            return equals(NOTHING);
        }
    }

    /**
     * Does one step after the other.
     *
     * @param step does the one behind another
     * @return how many were changed
     */
    public static int all(UnaryOperator<Done> step) {
        int changed = 0;
        Done done = Done.NOTHING;
        do {
            done = step.apply(done);
            changed += done.changed();
        } while (done.more());
        return changed;
    }

    /** What is there now bounds all steps, so that they end and meet none that comes meanwhile. */
    Done begin(UUID webhook) {
        Instant now = time.now();
        long until =
                (Long)
                        em.createNativeQuery(
                                        "select coalesce(max(id), 0) from webhook_delivery"
                                                + " where webhook_id = :webhook",
                                        Long.class)
                                .setParameter("webhook", webhook)
                                .getSingleResult();
        return new Done(0, 0, true, until, now);
    }

    /**
     * By their numbers, so that none is met twice although it changes back meanwhile.
     *
     * @param which selects IDs behind {@code :after} and up to {@code :until}
     * @param change the statement, up to where it says of which
     */
    Done step(String which, String change, Map<String, Object> values, Done before) {
        Query select = em.createNativeQuery(which + " order by id limit " + MOST, Long.class);
        values.forEach(select::setParameter);
        List<?> found =
                select.setParameter("after", before.last())
                        .setParameter("until", before.until())
                        .getResultList();
        if (found.isEmpty()) {
            return new Done(0, before.last(), false, before.until(), before.begun());
        }
        long last = (Long) found.get(found.size() - 1);
        int changed =
                em.createNativeQuery(change + " and id in (:ids)")
                        .setParameter("webhook", values.get("webhook"))
                        .setParameter("ids", found)
                        .executeUpdate();
        return new Done(changed, last, found.size() == MOST, before.until(), before.begun());
    }
}
