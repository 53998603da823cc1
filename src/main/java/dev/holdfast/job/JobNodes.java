package dev.holdfast.job;

import dev.holdfast.database.Prompt;
import dev.holdfast.worker.WorkerConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/**
 * The nodes that run jobs, and until when each is taken to live. Each start of one is an
 * incarnation of its own that nobody else can have, so two nodes that are called alike take nothing
 * from each other. The next start of a node ends the ones before: those have its name and its home,
 * and two cannot run in one home.
 */
@ApplicationScoped
class JobNodes {

    private static final String END =
            "update job_node set lease_until = clock_timestamp() where id = ? and instance = ?"
                    + " and lease_until > clock_timestamp()";

    /** What one ran tells by its row that it is gone, for as long as anything is known of that. */
    private static final String FORGET =
            "delete from job_node n where n.lease_until < clock_timestamp() - interval '1 day'"
                    + " and not exists (select 1 from job_run r where r.incarnation = n.incarnation)";

    private static final String RENEW =
            "update job_node set lease_until = clock_timestamp() + make_interval(secs => ?)"
                    + " where incarnation = ? and lease_until > clock_timestamp()";

    private static final String TAKE =
            "insert into job_node (lease_until, incarnation, id, instance)"
                    + " values (clock_timestamp() + make_interval(secs => ?), ?, ?, ?)"
                    + " on conflict (incarnation) do update set lease_until = excluded.lease_until";

    @Inject WorkerConfig config;
    @Inject Incarnation here;
    @Inject Prompt prompt;

    /** This node has started. */
    void begin(Duration lease) {
        prompt.update(END, here.node(), config.instance());
        take(lease);
        prompt.update(FORGET);
    }

    /**
     * For so long this node is taken to live.
     *
     * @return false when it was not any more, and others may have gone on with what it runs
     */
    boolean renew(Duration lease) {
        boolean held = prompt.update(RENEW, seconds(lease), here.id()) > 0;
        if (!held) {
            take(lease);
        }
        return held;
    }

    private void take(Duration lease) {
        prompt.update(TAKE, seconds(lease), here.id(), here.node(), config.instance());
    }

    private static double seconds(Duration lease) {
        return lease.toMillis() / 1000.0;
    }
}
