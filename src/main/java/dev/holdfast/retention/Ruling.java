package dev.holdfast.retention;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a policy says of a snapshot, and why.
 *
 * @param grounds all that keep it; of one that goes why it does; of one that would go why, then
 *     what keeps it all the same
 */
public record Ruling(Outcome outcome, List<Ground> grounds) {

    /** The words are API. */
    public enum Outcome {
        KEEP,
        GO,
        /** It would go, and is pinned, held or occupied. */
        SHIELDED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Ruling {
        Objects.requireNonNull(outcome);
        grounds = List.copyOf(grounds);
        if (grounds.isEmpty()) {
            throw new IllegalArgumentException("a ruling has its reasons");
        }
    }

    static Ruling keep(Ground... grounds) {
        return new Ruling(Outcome.KEEP, List.of(grounds));
    }

    static Ruling go(Ground.Kind kind, String words) {
        return new Ruling(Outcome.GO, List.of(new Ground(kind, words)));
    }

    /** The same for one that nobody may let go. */
    Ruling shielded(Set<Shield> shields) {
        if (outcome != Outcome.GO || shields.isEmpty()) {
            return this;
        }
        List<Ground> all = new ArrayList<>(grounds);
        new TreeSet<>(shields).forEach(each -> all.add(Ground.of(each)));
        return new Ruling(Outcome.SHIELDED, all);
    }

    public boolean goes() {
        return outcome == Outcome.GO;
    }
}
