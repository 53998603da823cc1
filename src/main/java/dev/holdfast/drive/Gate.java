package dev.holdfast.drive;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;

/**
 * Who is on a volume: many together, or one alone. Whoever waits to be alone comes before those who
 * ask after him, so that nobody is kept out by a stream of others.
 */
final class Gate {

    /** The right to be there, given back once, by whatever thread. */
    interface Pass extends AutoCloseable {
        @Override
        void close();
    }

    /** It knows no owners: a transfer begins on one thread and ends on another. */
    private final StampedLock lock = new StampedLock();

    /** Empty when somebody was alone all that time. */
    Optional<Pass> together(Duration patience) {
        try {
            return pass(lock.tryReadLock(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Empty when there was always somebody. */
    Optional<Pass> alone(Duration patience) {
        try {
            return pass(lock.tryWriteLock(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Optional<Pass> pass(long stamp) {
        if (stamp == 0) {
            return Optional.empty();
        }
        AtomicBoolean back = new AtomicBoolean();
        return Optional.of(
                () -> {
                    if (back.compareAndSet(false, true)) {
                        lock.unlock(stamp);
                    }
                });
    }
}
