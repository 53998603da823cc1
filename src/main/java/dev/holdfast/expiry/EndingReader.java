package dev.holdfast.expiry;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.snapshot.Ending;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Reads what is due when the step begins, a page at a time, in an order that an index has: the
 * checkpoint is the place of the last one, and any number of them takes the same memory.
 */
abstract class EndingReader extends AbstractItemReader {

    private static final int PAGE = 2_000;

    @Inject Findings findings;
    @Inject Orders orders;
    @Inject DatabaseTime time;

    private final Deque<Ending> page = new ArrayDeque<>();
    private Order order;
    private Instant begun;
    private String last;
    private boolean more;

    @Override
    public void open(Serializable checkpoint) {
        if (begun == null) { // a chunk that is tried again opens its reader again
            begun = time.now();
            order = orders.current();
            if (checkpoint == null) {
                findings.begin(order.job().id());
            }
        }
        last = (String) checkpoint;
        page.clear();
        more = true;
    }

    @Override
    public Object readItem() {
        if (page.isEmpty() && more) {
            page.addAll(next());
            more = page.size() == PAGE;
        }
        Ending next = page.poll();
        if (next != null) {
            last = next.place().toString();
        }
        return next;
    }

    private List<Ending> next() {
        try {
            return read(
                    new Ending.Query(
                            begun,
                            order.project(),
                            Optional.ofNullable(last).map(Ending.Place::parse),
                            PAGE),
                    begun.minus(order.olderThan()));
        } catch (RuntimeException e) {
            throw new UnreadPage(e);
        }
    }

    /**
     * @param old what the execution was told to be older than
     */
    abstract List<Ending> read(Ending.Query query, Instant old);

    @Override
    public Serializable checkpointInfo() {
        return last;
    }
}
