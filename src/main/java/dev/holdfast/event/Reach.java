package dev.holdfast.event;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * What is known of whether the broker can be reached. While it cannot, one of all who want
 * something of it tries in each second; the others are told so at once, and hold up nothing for as
 * long as a try may take.
 */
@ApplicationScoped
public class Reach {

    private static final Logger LOG = Logger.getLogger(Reach.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier clock;
    private final AtomicLong nextTry = new AtomicLong();
    private volatile boolean away;

    public Reach() {
        this(System::nanoTime);
    }

    Reach(LongSupplier clock) {
        this.clock = clock;
    }

    /** Whether to try; whoever is told so says what came of it. */
    boolean isToBeTried() {
        if (!away) {
            return true;
        }
        long due = nextTry.get();
        long now = clock.getAsLong();
        return now - due >= 0 && nextTry.compareAndSet(due, now + PAUSE.toNanos());
    }

    void failed(Throwable why) {
        nextTry.set(clock.getAsLong() + PAUSE.toNanos());
        if (!away) {
            away = true;
            LOG.warnf("The broker cannot be reached: %s", why.getMessage());
        }
    }

    void succeeded() {
        if (away) {
            away = false;
            LOG.info("The broker can be reached again");
        }
    }
}
