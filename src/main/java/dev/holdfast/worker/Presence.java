package dev.holdfast.worker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Who is at a sandbox: the requests and connections of its data plane that are under way, and since
 * when there is none. Whether commands run without a client is asked of the agent ({@link
 * Idleness}); they can only have been started while somebody was here.
 */
public final class Presence {

    private final Set<Guest> guests = ConcurrentHashMap.newKeySet();
    private final AtomicLong visits = new AtomicLong();
    private volatile long lastSeen = System.nanoTime();
    private volatile long quietSince = -1;

    /** One request or connection; to leave twice does nothing. */
    public final class Guest {

        private final BooleanSupplier over;

        private Guest(BooleanSupplier over) {
            this.over = over;
        }

        public void leave() {
            if (guests.remove(this)) {
                lastSeen = System.nanoTime();
            }
        }
    }

    /**
     * Somebody comes.
     *
     * @param over whether it is over although nobody said so, as when a connection was cut
     */
    public Guest enter(BooleanSupplier over) {
        Guest guest = new Guest(over);
        visits.incrementAndGet();
        guests.add(guest);
        return guest;
    }

    /** Shows out who has left without a word; whether nobody is there then. */
    boolean isEmpty() {
        guests.forEach(
                guest -> {
                    if (guest.over.getAsBoolean()) {
                        guest.leave();
                    }
                });
        return guests.isEmpty();
    }

    Duration idle() {
        return Duration.ofNanos(System.nanoTime() - lastSeen);
    }

    long visits() {
        return visits.get();
    }

    /** A command runs. */
    void busy() {
        lastSeen = System.nanoTime();
    }

    /** No command ran when there had been so many visits. */
    void quiet(long after) {
        quietSince = after;
    }

    /** Whether nobody has come since no command ran, so that none can run now. */
    boolean isQuiet() {
        return quietSince == visits.get();
    }
}
