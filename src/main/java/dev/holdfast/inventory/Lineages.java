package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import jakarta.persistence.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where snapshots come from and what came of them, across captures, restores and forks. */
@Stateless
public class Lineages {

    private static final Lineage.Place FIRST = new Lineage.Place(Instant.EPOCH, "");

    @PersistenceContext EntityManager em;

    /**
     * The lineage of a snapshot, also of one that was removed as long as its tombstone stands.
     *
     * @param after only the children behind this place
     * @throws Problem {@code snapshot_not_found}
     */
    public Lineage of(ProjectId project, SnapshotId id, Optional<Lineage.Place> after, int limit) {
        List<Tuple> line = rows(line(project, id));
        Tuple self = line.get(0);
        if (isOutside(self)) {
            throw new Problem(Reason.SNAPSHOT_NOT_FOUND, "There is no snapshot " + id + ".");
        }
        List<Tuple> children = rows(children(project, id, after.orElse(FIRST), limit + 1));
        return Lineage.of(relatives(line), relatives(children), limit);
    }

    /** What is kept for a sandbox or a fork, and what came to nothing, belongs to no tree. */
    private static boolean isOutside(Tuple self) {
        return self.get("state", String.class).equals("GONE")
                || "FAILED".equals(self.get("reason", String.class))
                || text(self, "kind")
                        .map(Kind::valueOf)
                        .filter(kind -> !kind.isListed())
                        .isPresent();
    }

    private Query line(ProjectId project, SnapshotId id) {
        return em.createNativeQuery(LineageText.LINE, Tuple.class)
                .setParameter("id", id.value())
                .setParameter("project", project.value())
                .setParameter("deepest", Lineage.DEEPEST);
    }

    private Query children(ProjectId project, SnapshotId id, Lineage.Place after, int most) {
        return em.createNativeQuery(LineageText.CHILDREN, Tuple.class)
                .setParameter("id", id.value())
                .setParameter("project", project.value())
                .setParameter("at", after.createdAt())
                .setParameter("after", after.id())
                .setParameter("most", most);
    }

    @SuppressWarnings("unchecked") // a native query knows no types
    private static List<Tuple> rows(Query query) {
        return query.getResultList();
    }

    private static List<Relative> relatives(List<Tuple> rows) {
        return rows.stream().map(Lineages::relative).toList();
    }

    private static Relative relative(Tuple row) {
        return new Relative(
                Relative.Type.valueOf(row.get("type", String.class)),
                row.get("id", String.class),
                row.get("state", String.class).toLowerCase(Locale.ROOT),
                text(row, "kind").map(kind -> kind.toLowerCase(Locale.ROOT)),
                text(row, "parent"),
                text(row, "short_name")
                        .map(name -> new SnapshotName(name, row.get("tag", String.class))),
                text(row, "source"),
                row.get("forked", Boolean.class),
                Optional.ofNullable(row.get("created_at", Instant.class)),
                Optional.ofNullable(row.get("bytes", Number.class)).map(Number::longValue),
                text(row, "reason")
                        .map(
                                why ->
                                        new Relative.Removed(
                                                why.toLowerCase(Locale.ROOT),
                                                row.get("removed_at", Instant.class))),
                row.get("fruitful", Boolean.class));
    }

    private static Optional<String> text(Tuple row, String column) {
        return Optional.ofNullable(row.get(column, String.class));
    }
}
