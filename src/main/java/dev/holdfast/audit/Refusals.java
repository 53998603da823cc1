package dev.holdfast.audit;

import dev.holdfast.problem.Reason;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * What was asked for in vain. So that nobody fills the database with what they are refused, each
 * principal's are told singly up to a bound a minute, and the rest of that minute by their number.
 * Holds one count for each principal that was ever refused here; strangers have none.
 */
@ApplicationScoped
public class Refusals {
    private static final Logger LOG = Logger.getLogger(Refusals.class);

    private final ConcurrentHashMap<String, RefusalCount> counts = new ConcurrentHashMap<>();

    @Inject Audit audit;
    @Resource ManagedScheduledExecutorService scheduler;

    /** Of one thing among many that a request asks for, on the thread that serves it. */
    public void tell(Deed deed, Reason reason) {
        tell(
                deed,
                Origin.current(),
                reason.status() < 500 ? Outcome.REFUSED : Outcome.FAILED,
                reason.word());
    }

    /**
     * Never fails: the caller is answered all the same.
     *
     * @param deed what was asked for, with the principal
     * @param reason a stable word
     */
    public void tell(Deed deed, Origin origin, Outcome outcome, String reason) {
        try {
            String principal = deed.principal().orElse(origin.principal());
            RefusalCount count = counts.computeIfAbsent(principal, each -> new RefusalCount());
            switch (count.next(System.nanoTime())) {
                case TELL -> audit.inVain(deed, origin, outcome, reason);
                case FIRST_TOO_MANY ->
                        scheduler.schedule(
                                () -> summarise(deed.by(principal), origin, count),
                                RefusalCount.PERIOD.toSeconds(),
                                TimeUnit.SECONDS);
                default -> {
                    // it is in the number
                }
            }
        } catch (Exception e) { // undeclared: a commit that fails throws a checked one
            LOG.errorf(e, "A request asked for %s in vain, which the audit lacks", deed.action());
        }
    }

    private void summarise(Deed last, Origin origin, RefusalCount count) {
        try {
            audit.inVain(
                    Deed.of(
                                    Action.AUDIT_SUMMARY,
                                    new Subject("principal", last.principal().orElse("")))
                            .in(last.project().orElse(null))
                            .by(last.principal().orElse(null))
                            .with("count", count.takeUntold()),
                    origin,
                    Outcome.REFUSED,
                    "too_many");
        } catch (Exception e) {
            LOG.error("Refusals are missing from the audit", e);
        }
    }
}
