package dev.holdfast.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;

/** Counts into the server's registry. Label values come from enumerations. */
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
        Runnable counting = () -> registry.counter(name, labels).increment();
        if (transaction.getTransactionStatus() == Status.STATUS_ACTIVE) {
            transaction.registerInterposedSynchronization(new AfterCommit(counting));
        } else {
            counting.run();
        }
    }

    /**
     * A duration for a histogram.
     *
     * @param labels names and values in turn
     */
    public void time(String name, Duration taken, String... labels) {
        Timer.builder(name)
                .tags(labels)
                .serviceLevelObjectives(BOUNDS)
                .register(registry)
                .record(taken);
    }

    private record AfterCommit(Runnable counting) implements Synchronization {

        @Override
        public void beforeCompletion() {
            // Nothing is counted before it is true.
        }

        @Override
        public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
                counting.run();
            }
        }
    }
}
