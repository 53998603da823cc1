package dev.holdfast.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lets so many do a thing at once, first come first served; whoever waits too long is refused. */
final class Turns {
    private final Semaphore turns;
    private final Duration patience;

    Turns(int atOnce, Duration patience) {
        this.turns = new Semaphore(atOnce, true);
        this.patience = patience;
    }

    <T> T take(Supplier<T> work) {
        try {
            if (!turns.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new MachineFailure(
                        MachineFailure.Reason.BUSY,
                        "No turn within " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineFailure(MachineFailure.Reason.BUSY, "Interrupted while waiting", e);
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }
}
