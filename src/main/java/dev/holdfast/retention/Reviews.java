package dev.holdfast.retention;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows all snapshots of a project to its policies, in one statement and without keeping them. To
 * look and to carry out is the same question.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Reviews {

    /** How many items a page of a preview has at the most. */
    public static final int MOST = 1_000;

    private static final String CANDIDATES =
            "select s.id, s.short_name, s.tag, s.name_held, s.source_sandbox_id,"
                    + " case when :blind then '{}' else cast(s.labels as text) end as labels,"
                    + " s.created_at, s.saved_at, coalesce(s.stored_bytes, 0) as bytes,"
                    + " s.pinned_at is not null and (s.pinned_until is null or s.pinned_until > :at)"
                    + " as pinned,"
                    + " coalesce(s.held_until > :at, false) as held,"
                    + " s.id in (select o.id from sandbox b cross join lateral"
                    + " (values (b.snapshot_id), (b.image_id)) o (id)"
                    + " where b.project_id = :project and b.state <> 'ENDED'"
                    + " and o.id is not null) as occupied"
                    + " from snapshot s where s.project_id = :project and s.kind in "
                    + Kind.LISTED
                    + " and s.state = 'SAVED' and s.saved_at <= :at and s.expires_at > :at"
                    + " order by s.created_at desc, s.id desc";

    @PersistenceContext EntityManager em;
    @Inject Policies policies;
    @Inject DatabaseTime time;

    /**
     * What the policies would let go now, as they are or with a next version; changes nothing.
     *
     * @param next a version that is not in force yet
     * @param after what a page before it gave; its moment is taken
     * @throws Problem {@code invalid_parameter} for a place in another preview
     */
    public Review preview(
            ProjectId project, Optional<Proposal> next, Optional<String> after, int limit) {
        Instant now = time.now();
        Regime regime = policies.regime(project, now);
        Regime asked = next.map(each -> each.upon(regime, now)).orElse(regime);
        String about = Seen.about(project, asked);
        Optional<Seen> seen = after.map(token -> Seen.read("after", token, about));
        Instant at = seen.map(Seen::at).orElse(now);
        // The version of a proposal begins at the moment that is looked at.
        return page(
                project,
                next.map(each -> each.upon(regime, at)).orElse(regime),
                at,
                seen.flatMap(Seen::after),
                limit);
    }

    /**
     * What the policies of a moment let go, a part at a time; nothing where others rule by now, so
     * that what is resumed does not carry out what was replaced meanwhile.
     *
     * @param after the last of the part before
     */
    public List<Ending> going(
            ProjectId project, Instant at, Optional<Ending.Place> after, int most) {
        Regime regime = policies.regime(project, at);
        if (!regime.equals(policies.regime(project))) {
            return List.of();
        }
        List<Ending> going = new ArrayList<>();
        Optional<Seen.Place> place =
                after.map(each -> new Seen.Place(each.since(), new SnapshotId(each.id())));
        review(
                project,
                regime,
                at,
                (candidate, verdict) -> {
                    if (verdict.ruling().goes()
                            && place.map(each -> each.isBefore(candidate)).orElse(true)) {
                        going.add(
                                new Ending(
                                        candidate.id(),
                                        project,
                                        candidate.bytes(),
                                        candidate.createdAt(),
                                        Optional.of(words(verdict))));
                    }
                    return going.size() < most;
                });
        return going;
    }

    /** How many a regime lets go at a moment. */
    @TransactionAttribute(TransactionAttributeType.REQUIRED)
    public long count(ProjectId project, Regime regime, Instant at) {
        long[] going = new long[1];
        review(
                project,
                regime,
                at,
                (candidate, verdict) -> {
                    going[0] += verdict.ruling().goes() ? 1 : 0;
                    return true;
                });
        return going[0];
    }

    private Review page(
            ProjectId project, Regime regime, Instant at, Optional<Seen.Place> after, int limit) {
        Map<Ruling.Outcome, Review.Sum> sums = new EnumMap<>(Ruling.Outcome.class);
        List<Review.Item> items = new ArrayList<>();
        review(
                project,
                regime,
                at,
                (candidate, verdict) -> {
                    Ruling.Outcome outcome = verdict.ruling().outcome();
                    sums.merge(
                            outcome,
                            Review.Sum.NOTHING.plus(candidate),
                            (before, one) -> before.plus(candidate));
                    if (outcome != Ruling.Outcome.KEEP
                            && items.size() <= limit
                            && after.map(place -> place.isBefore(candidate)).orElse(true)) {
                        items.add(new Review.Item(candidate, verdict));
                    }
                    return true;
                });
        boolean more = items.size() > limit;
        List<Review.Item> page = more ? items.subList(0, limit) : items;
        Review.Sum going = sums.getOrDefault(Ruling.Outcome.GO, Review.Sum.NOTHING);
        String about = Seen.about(project, regime);
        return new Review(
                at,
                sums.getOrDefault(Ruling.Outcome.KEEP, Review.Sum.NOTHING),
                going,
                sums.getOrDefault(Ruling.Outcome.SHIELDED, Review.Sum.NOTHING),
                page,
                more
                        ? Optional.of(
                                new Seen(
                                                about,
                                                at,
                                                going.count(),
                                                Optional.of(
                                                        Seen.Place.of(
                                                                page.get(limit - 1).candidate())))
                                        .token())
                        : Optional.empty(),
                new Seen(about, at, going.count(), Optional.empty()).token());
    }

    /**
     * @param each whether to go on
     */
    private void review(
            ProjectId project,
            Regime regime,
            Instant at,
            BiPredicate<Candidate, Regime.Verdict> each) {
        Regime.Sitting sitting = regime.at(at);
        var labels = new StringMapConverter();
        try (Stream<?> rows =
                em.createNativeQuery(CANDIDATES, Tuple.class)
                        .setParameter("project", project.value())
                        .setParameter("at", at)
                        .setParameter("blind", regime.isBlindToLabels())
                        // Else the driver reads all of them before it gives the first.
                        .setHint("org.hibernate.fetchSize", 1_000)
                        .getResultStream()) {
            var all = rows.iterator();
            boolean more = true;
            while (more && all.hasNext()) {
                Candidate candidate = candidate((Tuple) all.next(), labels);
                more = each.test(candidate, sitting.judge(candidate));
            }
        }
    }

    private Candidate candidate(Tuple row, StringMapConverter labels) {
        SnapshotId id = new SnapshotId(row.get("id", UUID.class));
        Set<Shield> shields = EnumSet.noneOf(Shield.class);
        if (row.get("pinned", Boolean.class)) {
            shields.add(Shield.PINNED);
        }
        if (row.get("held", Boolean.class)) {
            shields.add(Shield.HELD);
        }
        if (row.get("occupied", Boolean.class)) {
            shields.add(Shield.OCCUPIED);
        }
        return new Candidate(
                id,
                row.get("name_held", Boolean.class)
                        ? Optional.of(
                                new SnapshotName(
                                        row.get("short_name", String.class),
                                        row.get("tag", String.class)))
                        : Optional.empty(),
                new SandboxId(row.get("source_sandbox_id", String.class)),
                labels.convertToEntityAttribute(row.get("labels", String.class)),
                row.get("created_at", Instant.class),
                row.get("saved_at", Instant.class),
                row.get("bytes", Number.class).longValue(),
                shields);
    }

    private String words(Regime.Verdict verdict) {
        return "version "
                + verdict.version().orElseThrow()
                + ": "
                + verdict.ruling().grounds().stream()
                        .map(Ground::words)
                        .collect(Collectors.joining("; "));
    }
}
