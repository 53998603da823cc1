package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.problem.Token;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which snapshots are meant: those of a status that pass every filter.
 *
 * @param ids only these; all if empty
 * @param restorability only those of which the verdict says one of these; all if empty
 * @param shortName only those that have this name, or had it before they were removed
 * @param tag the same with this tag
 * @param labels only those with all of these
 * @param expiringWithin only those that end within this time and have not yet
 * @param until only those that were made then or before
 * @param occupied only those that live sandboxes were made from, or are paused as
 */
public record Selection(
        Status status,
        Optional<Search> search,
        Set<SnapshotId> ids,
        Optional<SandboxId> source,
        Optional<String> template,
        Optional<String> creator,
        Set<Restorability> restorability,
        Optional<String> shortName,
        Optional<String> tag,
        Map<String, String> labels,
        Optional<Duration> expiringWithin,
        Optional<Instant> until,
        boolean occupied) {

    public Selection {
        Objects.requireNonNull(status);
        Objects.requireNonNull(search);
        SortedSet<SnapshotId> all = new TreeSet<>(Comparator.comparing(SnapshotId::value));
        all.addAll(ids);
        ids = Collections.unmodifiableSortedSet(all);
        Objects.requireNonNull(source);
        Objects.requireNonNull(template);
        Objects.requireNonNull(creator);
        SortedSet<Restorability> verdicts = new TreeSet<>(restorability);
        restorability = Collections.unmodifiableSortedSet(verdicts);
        Objects.requireNonNull(shortName);
        Objects.requireNonNull(tag);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        Objects.requireNonNull(expiringWithin);
        Objects.requireNonNull(until);
    }

    public static Selection of(Status status) {
        return new Selection(
                status,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** Whatever their status. */
    public static Selection of(Collection<SnapshotId> ids) {
        Selection all = of(Status.ALL);
        return new Selection(
                all.status,
                all.search,
                Set.copyOf(ids),
                all.source,
                all.template,
                all.creator,
                all.restorability,
                all.shortName,
                all.tag,
                all.labels,
                all.expiringWithin,
                all.until,
                all.occupied);
    }

    Selection onlyOccupied() {
        return new Selection(
                status,
                search,
                ids,
                source,
                template,
                creator,
                restorability,
                shortName,
                tag,
                labels,
                expiringWithin,
                until,
                true);
    }

    Selection until(Instant moment) {
        return new Selection(
                status,
                search,
                ids,
                source,
                template,
                creator,
                restorability,
                shortName,
                tag,
                labels,
                expiringWithin,
                Optional.of(moment),
                occupied);
    }

    /** What binds a text for the caller to a project, this selection and an order. */
    String digest(ProjectId project, Order order) {
        return Token.digest(project + " " + this + " " + order);
    }

    /** What the searched text has to hold; empty in it when nothing can be found. */
    Optional<Optional<String>> sought(Optional<Slug> slug) {
        return search.map(each -> each.within(slug));
    }
}
