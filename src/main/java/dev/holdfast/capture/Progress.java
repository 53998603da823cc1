package dev.holdfast.capture;

import dev.holdfast.storage.Parts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Counts what the threads that seal a state have read. It is told at a bounded pace, and the answer
 * stops them all when nobody wants the capture any more.
 */
final class Progress implements Parts.Meter {

    private static final long PACE = Duration.ofSeconds(1).toNanos();

    private final LongPredicate telling;
    private final LongSupplier nanoTime;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong toldAt;
    private volatile boolean ended;

    /**
     * @param telling takes the bytes read so far; false when the capture was ended
     */
    Progress(LongPredicate telling, LongSupplier nanoTime) {
        this.telling = telling;
        this.nanoTime = nanoTime;
        this.toldAt = new AtomicLong(nanoTime.getAsLong());
    }

    @Override
    public void read(int bytes) throws EndedException {
        long sum = done.addAndGet(bytes);
        long before = toldAt.get();
        long now = nanoTime.getAsLong();
        if (now - before >= PACE && toldAt.compareAndSet(before, now) && !telling.test(sum)) {
            ended = true;
        }
        if (ended) {
            throw new EndedException();
        }
    }
}
