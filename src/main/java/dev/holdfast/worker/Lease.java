package dev.holdfast.worker;

import dev.holdfast.fleet.FleetConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * For how long this worker may let sandboxes run, by a clock of its own that nobody sets: others
 * give up what it runs when it has not renewed for too long, and it has to be done with that
 * before. It stands still with a process that is stopped as little as the others' clocks do.
 */
@ApplicationScoped
public class Lease {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final LongSupplier clock;
    private volatile Duration tenure;
    private volatile Long renewedAt;
    private volatile boolean forfeited;

    /** One that nothing ends, until it is renewed. */
    public Lease() {
        this(System::nanoTime, FOR_EVER);
    }

    Lease(LongSupplier clock, Duration tenure) {
        this.clock = clock;
        this.tenure = tenure;
    }

    /** Nobody gives up a worker that is alone. */
    @Inject
    void configure(FleetConfig config) {
        tenure = config.isAlone() ? FOR_EVER : config.tenure();
    }

    /** The moment to name when what is about to be asked for is granted. */
    long now() {
        return clock.getAsLong();
    }

    /**
     * The database has confirmed a renewal.
     *
     * @param asked the moment before it was asked for
     */
    void renewed(long asked) {
        renewedAt = asked;
        forfeited = false;
    }

    /** Others have given up what runs here, or another process has this worker's name. */
    void forfeit() {
        forfeited = true;
    }

    /** Whether no renewal makes it good: the worker has to begin anew. */
    boolean isForfeited() {
        return forfeited;
    }

    /** Whether it is over for want of a renewal alone, so that the next one would make it good. */
    boolean isLapsed() {
        return !forfeited && isOver();
    }

    /** Whether nothing may run here now. Before the first renewal nothing does. */
    boolean isOver() {
        Long since = renewedAt;
        return forfeited || since != null && now() - since >= tenure.toNanos();
    }
}
