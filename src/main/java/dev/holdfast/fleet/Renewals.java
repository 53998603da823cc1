package dev.holdfast.fleet;

import dev.holdfast.database.Prompt;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** A worker that lives says so. It is not kept from that by what others wait for. */
@ApplicationScoped
public class Renewals {

    private static final String RENEW =
            "update worker set lease_until = clock_timestamp() + make_interval(secs => ?)"
                    + " where id = ? and incarnation = ? and lost_at is null";

    private static final String TAKEN = "select 1 from worker where id = ? and incarnation <> ?";

    @Inject Prompt prompt;

    /**
     * @param incarnation the number under which it began
     * @throws IllegalStateException when the database does not answer within some seconds
     */
    public Renewal renew(String id, long incarnation) {
        if (prompt.update(RENEW, (double) Workers.LEASE.toSeconds(), id, incarnation) > 0) {
            return Renewal.DONE;
        }
        return prompt.finds(TAKEN, id, incarnation) ? Renewal.TAKEN : Renewal.LOST;
    }
}
