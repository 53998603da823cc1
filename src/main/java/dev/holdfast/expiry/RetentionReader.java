package dev.holdfast.expiry;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import dev.holdfast.retention.Policies;
import dev.holdfast.retention.Reviews;
import dev.holdfast.snapshot.Ending;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the policies let go at the moment at which the job begins, project by project. A restart
 * goes on with that moment: what goes changes nothing of what is said of the others.
 */
@Named
@Dependent
public class RetentionReader extends AbstractItemReader {

    private static final int PAGE = 10_000;

    @Inject Findings findings;
    @Inject Orders orders;
    @Inject Policies policies;
    @Inject Reviews reviews;
    @Inject DatabaseTime time;

    private final Deque<Ending> page = new ArrayDeque<>();
    private final Deque<ProjectId> left = new ArrayDeque<>();
    private Instant begun;
    private String project;
    private String place;

    /** How far it is. */
    private record Progress(Instant begun, String project, String place) implements Serializable {}

    @Override
    public void open(Serializable checkpoint) {
        Order order = orders.current();
        if (checkpoint instanceof Progress progress) {
            begun = progress.begun();
            project = progress.project();
            place = progress.place();
        } else {
            if (begun == null) { // a chunk that is tried again opens its reader again
                begun = time.now();
                findings.begin(order.job().id());
            }
            project = null;
            place = null;
        }
        page.clear();
        left.clear();
        order.project().map(List::of).orElseGet(policies::ruled).stream()
                .filter(each -> project == null || each.toString().compareTo(project) >= 0)
                .forEach(left::add);
    }

    @Override
    public Object readItem() {
        while (page.isEmpty() && !left.isEmpty()) {
            read(left.peek());
        }
        Ending next = page.poll();
        if (next != null) {
            place = next.place().toString();
        }
        return next;
    }

    private void read(ProjectId next) {
        if (!next.toString().equals(project)) {
            project = next.toString();
            place = null;
        }
        try {
            page.addAll(
                    reviews.going(
                            next,
                            begun,
                            Optional.ofNullable(place).map(Ending.Place::parse),
                            PAGE));
        } catch (RuntimeException e) {
            throw new UnreadPage(e);
        }
        if (page.size() < PAGE) {
            left.remove();
        }
    }

    @Override
    public Serializable checkpointInfo() {
        return new Progress(begun, project, place);
    }
}
