package dev.holdfast.contents;

import java.time.Duration;
import java.util.UUID;

/** The time of a comparison: how far it is, whether it is wanted and how much is left of it. */
final class Progress {

    private static final long TELL = Duration.ofSeconds(1).toNanos();

    /** It was ended, or its snapshots are gone. */
    static final class OverException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OverException() {
            super("over", null, false, false);
        }
    }

    private final UUID id;
    private final Comparisons comparisons;
    private final long end;
    private volatile Runnable stop = () -> {};
    private volatile boolean ended;
    private long entries;
    private long told = System.nanoTime();

    Progress(UUID id, Comparisons comparisons, Duration limit) {
        this.id = id;
        this.comparisons = comparisons;
        this.end = System.nanoTime() + limit.toNanos();
    }

    UUID id() {
        return id;
    }

    long entries() {
        return entries;
    }

    /** What is to be broken off when it is ended. */
    void during(Runnable breaking) {
        stop = breaking;
    }

    void end() {
        ended = true;
        stop.run();
    }

    boolean isEnded() {
        return ended;
    }

    /** One more entry; now and then that is written down. */
    void seen() {
        entries++;
        if (ended || System.nanoTime() - told > TELL) {
            check();
        }
    }

    /**
     * @throws OverException when nobody wants it any more
     */
    void check() {
        told = System.nanoTime();
        if (ended || !comparisons.progress(id, entries)) {
            throw new OverException();
        }
        if (isLate()) {
            throw new IllegalStateException("the deadline is over");
        }
    }

    boolean isLate() {
        return System.nanoTime() - end > 0;
    }

    Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }
}
