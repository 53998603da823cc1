package dev.holdfast.contents;

import dev.holdfast.agent.GuestPath;
import dev.holdfast.agent.TreeEntry;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One path that is not in both as it was.
 *
 * @param what in what it differs; empty where it was added or removed
 * @param before empty where it was added
 * @param after empty where it was removed
 */
public record Change(Set<Difference> what, Optional<TreeEntry> before, Optional<TreeEntry> after) {

    /** What became of it. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Change {
        what = what.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(what));
        if (before.isEmpty() && after.isEmpty()) {
            throw new IllegalArgumentException("nothing has changed where nothing was or is");
        }
    }

    static Change added(TreeEntry after) {
        return new Change(Set.of(), Optional.empty(), Optional.of(after));
    }

    static Change removed(TreeEntry before) {
        return new Change(Set.of(), Optional.of(before), Optional.empty());
    }

    static Change between(Set<Difference> what, TreeEntry before, TreeEntry after) {
        return new Change(what, Optional.of(before), Optional.of(after));
    }

    Kind kind() {
        if (before.isEmpty()) {
            return Kind.ADDED;
        }
        return after.isEmpty() ? Kind.REMOVED : Kind.CHANGED;
    }

    GuestPath path() {
        return after.or(() -> before).orElseThrow().path();
    }

    /** How many bytes came, went, or are others now. */
    long bytes() {
        return switch (kind()) {
            case ADDED -> content(after);
            case REMOVED -> content(before);
            case CHANGED ->
                    what.contains(Difference.CONTENT) || what.contains(Difference.TYPE)
                            ? content(after)
                            : 0;
        };
    }

    private static long content(Optional<TreeEntry> entry) {
        return entry.filter(TreeEntry::isFile).map(TreeEntry::size).orElse(0L);
    }
}
