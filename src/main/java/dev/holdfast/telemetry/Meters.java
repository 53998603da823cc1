package dev.holdfast.telemetry;

import dev.holdfast.database.AfterCommit;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;

/**
 * Counts into the server's registry. Label values come from enumerations. Of the registry only what
 * takes a name is used: what its builders make is never shown.
 */
@ApplicationScoped
public class Meters {

    /** From what an idle machine needs for the least to what nobody waits for any more. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofMinutes(5)
    };

    @Inject MeterRegistry registry;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    /**
     * Counts one more, once the caller's transaction has committed; at once where there is none.
     *
     * @param labels names and values in turn
     */
    public void count(String name, String... labels) {
        count(name, 1, labels);
    }

    /** So many more, all at once. */
    public void count(String name, long amount, String... labels) {
        Runnable counting = () -> registry.counter(name, labels).increment(amount);
        switch (transaction.getTransactionStatus()) {
            case Status.STATUS_ACTIVE ->
                    transaction.registerInterposedSynchronization(new AfterCommit(counting));
            case Status.STATUS_MARKED_ROLLBACK -> {
                // it is undone, and so did not happen
            }
            default -> counting.run();
        }
    }

    /**
     * A duration, and the buckets of its histogram: the server gives an application timers without.
     *
     * @param labels names and values in turn
     */
    public void time(String name, Duration taken, String... labels) {
        Tags tags = Tags.of(labels);
        registry.timer(name, tags).record(taken);
        for (Duration bound : BOUNDS) {
            boolean within = taken.compareTo(bound) <= 0;
            bucket(name, tags, Double.toString(bound.toMillis() / 1000.0), within);
        }
        bucket(name, tags, "+Inf", true);
    }

    /** Zero is counted too, so that every bucket is there from the first duration on. */
    private void bucket(String name, Tags tags, String bound, boolean within) {
        registry.counter(name + ".buckets", tags.and("le", bound)).increment(within ? 1 : 0);
    }
}
