package dev.holdfast.contents;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.GuestFacts;
import dev.holdfast.agent.Probe;
import dev.holdfast.agent.TreeWalk;
import dev.holdfast.event.Event;
import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.worker.LivePeek;
import dev.holdfast.worker.WorkerConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Compares two snapshots on this worker, on a thread that may wait. */
@ApplicationScoped
public class ComparisonRun {

    private static final Logger LOG = Logger.getLogger(ComparisonRun.class);

    /** How long a tree may say nothing. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int PIECE = 1000;
    private static final int MOST_PROCESSES = 10_000;

    @Inject Clock clock;
    @Inject Comparisons comparisons;
    @Inject ContentsConfig config;
    @Inject Contents contents;
    @Inject Snapshots snapshots;
    @Inject WorkerConfig worker;

    /** The one that is under way: a worker has one at a time. */
    private volatile Progress underWay;

    void compare(UUID id) {
        Optional<Comparison> claimed = comparisons.claim(id, worker.id());
        if (claimed.isEmpty()) {
            return;
        }
        Progress own = new Progress(id, comparisons, config.deadline());
        underWay = own;
        try {
            compare(claimed.get(), own);
        } catch (Progress.OverException over) {
            LOG.debugf("Comparison %s is not wanted any more", id);
        } catch (Merge.TooManyException | Problem told) {
            comparisons.fail(id, told.getMessage());
        } catch (Exception e) {
            LOG.logf(
                    own.isEnded() ? Logger.Level.DEBUG : Logger.Level.WARN,
                    e,
                    "Comparison %s came to nothing",
                    id);
            comparisons.fail(
                    id,
                    own.isLate()
                            ? "it took longer than " + config.deadline().toMinutes() + " minutes"
                            : why(e));
        } finally {
            underWay = null;
        }
    }

    /** One that was ended ends now, and not when its snapshot says something again. */
    public void observe(@Observes Event event) {
        Progress now = underWay;
        if (now != null
                && event.subject().equals(Comparison.subject(now.id()))
                && event.state().equals(Comparison.State.CANCELLED.name())) {
            now.end();
        }
    }

    private void compare(Comparison row, Progress own) throws Exception {
        LivePeek before = opened(row, row.base());
        try {
            own.check();
            LivePeek after = opened(row, row.other());
            try {
                compare(row, own, before.probe(), after.probe());
            } finally {
                after.leave(clock.instant());
            }
        } finally {
            before.leave(clock.instant());
        }
    }

    private LivePeek opened(Comparison row, SnapshotId snapshot) throws Exception {
        try {
            return contents.open(row.project(), snapshot, worker.id())
                    .toCompletableFuture()
                    .get(config.deadline().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Refusals.of(e.getCause());
        }
    }

    private void compare(Comparison row, Progress own, Probe before, Probe after) {
        Merge merge = new Merge(config.changes());
        long unread;
        try (TreeWalk old = before.walk(config.entries(), PATIENCE, own.left());
                TreeWalk now = after.walk(config.entries(), PATIENCE, own.left())) {
            own.during(
                    () -> {
                        old.close();
                        now.close();
                    });
            merge.run(old::next, now::next, own::seen);
            unread = old.unread() + now.unread();
        }
        settle(merge, own, before, after);
        own.check();
        Snapshot base = snapshots.find(row.base()).orElseThrow();
        Snapshot other = snapshots.find(row.other()).orElseThrow();
        Summary summary = summary(merge, unread, base, other, facts(before), facts(after));
        comparisons.finish(row.id(), merge.changes(), summary, own.entries());
    }

    private void settle(Merge merge, Progress own, Probe before, Probe after) {
        List<Merge.Doubt> doubts = merge.doubts();
        for (int from = 0; from < doubts.size(); from += PIECE) {
            List<Merge.Doubt> piece = doubts.subList(from, Math.min(from + PIECE, doubts.size()));
            own.check();
            var old =
                    before.digests(piece.stream().map(d -> d.before().path()).toList(), own.left());
            own.check();
            var now = after.digests(piece.stream().map(d -> d.after().path()).toList(), own.left());
            for (int i = 0; i < piece.size(); i++) {
                merge.settle(piece.get(i), old.get(i).isPresent() && old.get(i).equals(now.get(i)));
            }
        }
    }

    private static GuestFacts facts(Probe probe) {
        return probe.facts(MOST_PROCESSES, PATIENCE);
    }

    private static Summary summary(
            Merge merge,
            long unread,
            Snapshot base,
            Snapshot other,
            GuestFacts before,
            GuestFacts after) {
        GuestFacts old = before.of(base.hasMemory());
        GuestFacts now = after.of(other.hasMemory());
        return new Summary(
                merge.tally().of(Change.Kind.ADDED),
                merge.tally().of(Change.Kind.REMOVED),
                merge.tally().of(Change.Kind.CHANGED),
                merge.isCut(),
                unread,
                base.templateDigest().equals(other.templateDigest()),
                Summary.LEFT_OUT,
                FactsMerge.processes(old, now),
                FactsMerge.names(names(base, old), names(other, now)),
                FactsMerge.packages(old.packages(), now.packages()));
    }

    /** What new processes get and what those that run have. */
    private static SortedSet<String> names(Snapshot snapshot, GuestFacts facts) {
        SortedSet<String> names = new TreeSet<>(facts.environment());
        names.addAll(snapshot.environment().keySet());
        return names;
    }

    private static String why(Exception e) {
        return e instanceof AgentException
                ? "what shows one of the snapshots has failed or was ended; ask for it again"
                : "it came to nothing; ask for it again";
    }
}
