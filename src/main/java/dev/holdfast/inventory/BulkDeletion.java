package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Refusals;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Deletes many: what it would be is told first, and a failure does not stop the rest. */
@ApplicationScoped
public class BulkDeletion {

    /** How many in one call. */
    public static final int MOST = 1_000;

    private static final Logger LOG = Logger.getLogger(BulkDeletion.class);

    /** Shorter than clients wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int OCCUPIED_SHOWN = 100;
    private static final Order OLDEST_FIRST = new Order(Sort.CREATED, false);

    @Inject Deletions deletions;
    @Inject Listings listings;
    @Inject Refusals refusals;
    @Inject DatabaseTime time;

    /**
     * What a deletion would meet.
     *
     * @param occupied what sandboxes live from, so that it would stay; the first of them
     * @param moreOccupied whether there are more of them than are shown
     * @param guarded how many are pinned or held, so that they would stay
     * @param token what allows a deletion by this selection
     */
    public record Preview(
            Listings.Sums sums,
            List<Snapshot> occupied,
            boolean moreOccupied,
            long guarded,
            String token) {
        public Preview {
            occupied = List.copyOf(occupied);
        }
    }

    /**
     * What became of it.
     *
     * @param next what goes on with it when not all could be looked at
     */
    public record Outcome(List<Deletion> items, Optional<String> next) {
        public Outcome {
            items = List.copyOf(items);
        }
    }

    /** Looks only. */
    public Preview preview(ProjectId project, Optional<Slug> slug, Selection selection) {
        Instant now = time.now();
        Selection seen = selection.until(now);
        Listings.Sums sums = listings.sums(project, slug, seen);
        Page occupied =
                listings.page(
                        Listing.first(
                                project, slug, seen.onlyOccupied(), OLDEST_FIRST, OCCUPIED_SHOWN));
        String token =
                new Previewed(now, sums.exact() ? sums.count() : -1, Optional.empty())
                        .token(project, selection);
        return new Preview(
                sums,
                occupied.snapshots(),
                occupied.more(),
                listings.guarded(project, slug, seen),
                token);
    }

    /** Each of these once. */
    public Outcome delete(ProjectId project, List<SnapshotId> ids) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<Deletion> items = new ArrayList<>();
        for (SnapshotId id : new LinkedHashSet<>(ids)) {
            items.add(System.nanoTime() < end ? attempt(project, id) : Deletion.notAttempted(id));
        }
        return new Outcome(items, Optional.empty());
    }

    /**
     * Those of a selection that were there when somebody looked at it, oldest first.
     *
     * @throws Problem {@code invalid_parameter} for a token of something else; {@code
     *     concurrent_change} when more would go than were seen
     */
    public Outcome delete(
            ProjectId project, Optional<Slug> slug, Selection selection, String token) {
        Previewed seen = Previewed.read(token, project, selection);
        Selection meant = selection.until(seen.at());
        if (seen.from().isEmpty()) {
            requireNoMore(seen, listings.sums(project, slug, meant));
        }
        Page page =
                listings.page(
                        Listing.first(project, slug, meant, OLDEST_FIRST, MOST).after(seen.from()));
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<Deletion> items = new ArrayList<>();
        Optional<Snapshot> last = Optional.empty();
        for (Snapshot each : page.snapshots()) {
            if (System.nanoTime() >= end) {
                break;
            }
            items.add(attempt(project, each.id()));
            last = Optional.of(each);
        }
        boolean more = page.more() || items.size() < page.snapshots().size();
        return new Outcome(
                items,
                last.filter(x -> more)
                        .map(each -> seen.at(Place.of(each, Sort.CREATED)))
                        .map(next -> next.token(project, selection)));
    }

    private static void requireNoMore(Previewed seen, Listings.Sums now) {
        if (seen.count() < 0) {
            throw Problem.invalid(
                    "filter",
                    "More than "
                            + Listing.COUNTED
                            + " match, so nobody has seen how many would go. Narrow the"
                            + " filter and look again.");
        }
        if (!now.exact() || now.count() > seen.count()) {
            throw new Problem(
                            Reason.CONCURRENT_CHANGE,
                            "Now "
                                    + now.count()
                                    + " match, and "
                                    + seen.count()
                                    + " did when you looked. Look again; nothing was deleted.")
                    .with("previewed", seen.count())
                    .with("matching", now.count());
        }
    }

    /** What was deleted is in the audit with its deletion, and of what was not this tells. */
    private Deletion attempt(ProjectId project, SnapshotId id) {
        Deletion deletion = attempted(project, id);
        deletion.why()
                .ifPresent(
                        why ->
                                refusals.tell(
                                        Deed.of(Action.SNAPSHOT_DELETE, Subject.snapshot(id))
                                                .in(project.value()),
                                        why.reason()));
        return deletion;
    }

    private Deletion attempted(ProjectId project, SnapshotId id) {
        try {
            return deletions.delete(project, id);
        } catch (Problem why) {
            return Deletion.refused(id, why);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Snapshot %s could not be deleted with others", id);
            return Deletion.failed(id);
        }
    }
}
