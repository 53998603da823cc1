package dev.holdfast.inventory;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Where a snapshot comes from and what came of it.
 *
 * @param ancestors the nearest first
 * @param complete whether the last of them is the root, as far as anybody knows
 * @param children those of a page, the oldest first
 * @param more whether there are others behind these
 */
public record Lineage(
        Relative snapshot,
        List<Relative> ancestors,
        boolean complete,
        List<Relative> children,
        boolean more) {

    /** How many ancestors are told at once; the lineage of the last of them has more. */
    public static final int DEEPEST = 100;

    /** Where a page of children ends, whether that child is still there or not. */
    public record Place(Instant createdAt, String id) {
        public Place {
            Objects.requireNonNull(createdAt);
            Objects.requireNonNull(id);
        }
    }

    public Lineage {
        Objects.requireNonNull(snapshot);
        ancestors = List.copyOf(ancestors);
        children = List.copyOf(children);
    }

    /**
     * @param line a snapshot and its ancestors, and one more than are told if there are so many
     * @param found children, and one more than there are on a page if there are so many
     */
    static Lineage of(List<Relative> line, List<Relative> found, int page) {
        List<Relative> ancestors = line.subList(1, Math.min(line.size(), DEEPEST + 1));
        return new Lineage(
                line.get(0),
                ancestors,
                line.size() <= DEEPEST + 1,
                found.subList(0, Math.min(found.size(), page)),
                found.size() > page);
    }
}
