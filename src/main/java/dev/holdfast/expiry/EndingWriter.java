package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.snapshot.Ending;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.util.List;
import java.util.TreeMap;

/**
 * Deals with chunks of what is due, and says at the end what became of it; a dry run only counts,
 * and leaves a finding for each project.
 */
abstract class EndingWriter extends AbstractItemWriter {

    @Inject Findings findings;
    @Inject Orders orders;

    private final TreeMap<String, Long[]> projects = new TreeMap<>();
    private Order order;
    private Tally tally;

    /** How many there were, how many are dealt with, and the bytes of all. */
    private record Tally(long seen, long done, long bytes) implements Serializable {

        private Tally and(List<Ending> chunk, long dealtWith) {
            return new Tally(
                    seen + chunk.size(),
                    done + dealtWith,
                    bytes + chunk.stream().mapToLong(Ending::bytes).sum());
        }
    }

    @Override
    public void open(Serializable checkpoint) {
        order = orders.current();
        tally = checkpoint == null ? new Tally(0, 0, 0) : (Tally) checkpoint;
    }

    @Override
    public void writeItems(List<Object> items) {
        List<Ending> chunk = items.stream().map(Ending.class::cast).toList();
        if (order.isDry()) {
            chunk.forEach(this::count);
            tally = tally.and(chunk, 0);
        } else {
            tally = tally.and(chunk, deal(chunk));
        }
    }

    /**
     * Deals with a chunk in the transaction that there is.
     *
     * @return how many of them it dealt with
     */
    abstract int deal(List<Ending> chunk);

    /** What is done with one, as {@code expire} and {@code expired}. */
    abstract String verb();

    abstract String participle();

    private void count(Ending ending) {
        projects.merge(
                ending.project().toString(),
                new Long[] {1L, ending.bytes()},
                (a, b) -> new Long[] {a[0] + b[0], a[1] + b[1]});
    }

    @Override
    public Serializable checkpointInfo() {
        return tally;
    }

    @Override
    public void close() {
        if (order == null) {
            return;
        }
        if (order.isDry()) {
            projects.forEach(this::report);
            orders.say("would %s %d (%d bytes)".formatted(verb(), tally.seen(), tally.bytes()));
        } else {
            orders.say("%s %d of %d".formatted(participle(), tally.done(), tally.seen()));
        }
    }

    private void report(String project, Long[] sums) {
        findings.add(
                order.job().id(),
                new Finding(
                        project,
                        "would_" + verb().replace(' ', '_'),
                        "a dry run changes nothing",
                        sums[0],
                        sums[1]));
    }
}
