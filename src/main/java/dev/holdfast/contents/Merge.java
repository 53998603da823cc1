package dev.holdfast.contents;

import dev.holdfast.agent.TreeEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Two trees become their changes. Both come in the order of their paths, so no more than one entry
 * of each is held, besides what is found.
 */
final class Merge {

    /** Two files whose content must be read to know. */
    record Doubt(TreeEntry before, TreeEntry after) {}

    /** More to remember, or to read, than is allowed. */
    static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyException(String message) {
            super(message);
        }
    }

    /** Of the paths that are held, whose number alone bounds nothing. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private final int most;
    private final long mostBytes;
    private final List<Change> changes = new ArrayList<>();
    private final List<Doubt> doubts = new ArrayList<>();
    private final Tally tally = new Tally();
    private boolean cut;
    private long held;

    /**
     * @param most how many changes are listed, and how many files read at most
     */
    Merge(int most) {
        this(most, MOST_BYTES);
    }

    Merge(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /**
     * @param seen is told of each entry of either, and may throw to end it
     */
    void run(
            Supplier<Optional<TreeEntry>> before,
            Supplier<Optional<TreeEntry>> after,
            Runnable seen) {
        Optional<TreeEntry> old = before.get();
        Optional<TreeEntry> now = after.get();
        while (old.isPresent() || now.isPresent()) {
            int order = order(old, now);
            if (order < 0) {
                note(Change.removed(old.orElseThrow()));
            } else if (order > 0) {
                note(Change.added(now.orElseThrow()));
            } else {
                compare(old.orElseThrow(), now.orElseThrow());
            }
            if (order <= 0) {
                seen.run();
                old = before.get();
            }
            if (order >= 0) {
                seen.run();
                now = after.get();
            }
        }
    }

    /** What is still to be read, in the order of the paths. */
    List<Doubt> doubts() {
        return List.copyOf(doubts);
    }

    /**
     * A doubt is over.
     *
     * @param same whether both have the same content
     */
    void settle(Doubt doubt, boolean same) {
        Set<Difference> what = Difference.between(doubt.before(), doubt.after());
        if (!same) {
            what.add(Difference.CONTENT);
        }
        if (!what.isEmpty()) {
            Change change = Change.between(what, doubt.before(), doubt.after());
            tally.count(change);
            // There is room: no more are in doubt than are listed, and their paths are held.
            changes.add(change);
        }
    }

    /** In the order of the paths, as many as are listed. */
    List<Change> changes() {
        return changes.stream().sorted(Comparator.comparing(Change::path)).limit(most).toList();
    }

    Tally tally() {
        return tally;
    }

    /** Whether there are more changes than are listed. */
    boolean isCut() {
        return cut || changes.size() > most;
    }

    private static int order(Optional<TreeEntry> old, Optional<TreeEntry> now) {
        if (old.isEmpty()) {
            return 1;
        }
        return now.isEmpty() ? -1 : old.get().path().compareTo(now.get().path());
    }

    private void compare(TreeEntry old, TreeEntry now) {
        if (Difference.isInDoubt(old, now)) {
            if (doubts.size() == most) {
                throw new TooManyException(
                        "More than " + most + " files would have to be read to compare them.");
            }
            hold(old);
            hold(now);
            doubts.add(new Doubt(old, now));
            return;
        }
        Set<Difference> what = Difference.between(old, now);
        if (!what.isEmpty()) {
            note(Change.between(what, old, now));
        }
    }

    private void note(Change change) {
        tally.count(change);
        if (changes.size() < most) {
            change.before().ifPresent(this::hold);
            change.after().ifPresent(this::hold);
            changes.add(change);
        } else {
            cut = true;
        }
    }

    private void hold(TreeEntry entry) {
        held += entry.path().octets().length();
        held += entry.target().map(target -> target.octets().length()).orElse(0);
        if (held > mostBytes) {
            throw new TooManyException(
                    "The paths that differ come to more than " + mostBytes + " bytes.");
        }
    }
}
