package dev.holdfast.gateway;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that goes on as far as it can, and once more for whoever asked meanwhile. Everything that
 * could let it go on comes through here and finds it running; so it is never done twice at a time,
 * and nothing calls itself without bound when what it waits for is there at once.
 */
public final class Rounds {

    private final Runnable round;
    private final AtomicInteger visits = new AtomicInteger();

    public Rounds(Runnable round) {
        this.round = round;
    }

    /** From any thread, also out of the round itself. */
    public void run() {
        if (visits.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            round.run();
            seen = visits.addAndGet(-seen);
        } while (seen != 0);
    }
}
