package dev.holdfast.webhook;

import jakarta.enterprise.context.Dependent;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Changes any number of deliveries a step at a time, each in a transaction of its caller. */
@Dependent
public class Steps {

    private static final int MOST = 2_000;

    @PersistenceContext EntityManager em;

    /**
     * What a step has done.
     *
     * @param last behind which the next one begins
     * @param more whether there is a next one
     */
    public record Done(int changed, long last, boolean more) {}

    /**
     * Does one step after the other.
     *
     * @return how many were changed
     */
    public static int all(LongFunction<Done> step) {
        int changed = 0;
        Done done;
        long after = 0;
        do {
            done = step.apply(after);
            changed += done.changed();
            after = done.last();
        } while (done.more());
        return changed;
    }

    /**
     * By their numbers, so that none is met twice although it changes back meanwhile.
     *
     * @param which selects IDs behind {@code :after}
     * @param change the statement, up to where it says of which
     */
    Done step(String which, String change, Map<String, Object> values, long after) {
        Query select = em.createNativeQuery(which + " order by id limit " + MOST, Long.class);
        values.forEach(select::setParameter);
        List<?> found = select.setParameter("after", after).getResultList();
        if (found.isEmpty()) {
            return new Done(0, after, false);
        }
        long last = (Long) found.get(found.size() - 1);
        int changed =
                em.createNativeQuery(change + " and id in (:ids)")
                        .setParameter("webhook", values.get("webhook"))
                        .setParameter("ids", found)
                        .executeUpdate();
        return new Done(changed, last, found.size() == MOST);
    }
}
