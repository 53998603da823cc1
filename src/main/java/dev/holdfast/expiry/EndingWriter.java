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

    private Order order;
    private Tally all;
    private TreeMap<String, Tally> projects;

    /** How many there were, how many are dealt with, and the bytes of all. */
    private record Tally(long seen, long done, long bytes) implements Serializable {

        private Tally plus(Tally more) {
            return new Tally(seen + more.seen, done + more.done, bytes + more.bytes);
        }
    }

    /** What the execution comes to so far, and a dry one for each project. */
    private record Progress(Tally all, TreeMap<String, Tally> projects) implements Serializable {}

    @Override
    public void open(Serializable checkpoint) {
        order = orders.current();
        Progress begun =
                checkpoint == null
                        ? new Progress(new Tally(0, 0, 0), new TreeMap<>())
                        : (Progress) checkpoint;
        all = begun.all();
        projects = new TreeMap<>(begun.projects());
    }

    @Override
    public void writeItems(List<Object> items) {
        List<Ending> chunk = items.stream().map(Ending.class::cast).toList();
        long bytes = chunk.stream().mapToLong(Ending::bytes).sum();
        all = all.plus(new Tally(chunk.size(), order.isDry() ? 0 : deal(chunk), bytes));
        if (order.isDry()) {
            chunk.forEach(
                    each ->
                            projects.merge(
                                    each.project().toString(),
                                    new Tally(1, 0, each.bytes()),
                                    Tally::plus));
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

    @Override
    public Serializable checkpointInfo() {
        return new Progress(all, new TreeMap<>(projects));
    }

    @Override
    public void close() {
        if (order == null) {
            return;
        }
        if (order.isDry()) {
            projects.forEach(this::report);
            orders.say("would %s %d (%d bytes)".formatted(verb(), all.seen(), all.bytes()));
        } else {
            orders.say("%s %d of %d".formatted(participle(), all.done(), all.seen()));
        }
    }

    private void report(String project, Tally sums) {
        findings.add(
                order.job().id(),
                new Finding(
                        project,
                        "would_" + verb().replace(' ', '_'),
                        "a dry run changes nothing",
                        sums.seen(),
                        sums.bytes()));
    }
}
