package dev.holdfast.contents;

import java.util.EnumMap;
import java.util.Map;

/** How many changes there are of each kind, and how many bytes they come to. */
final class Tally {

    private final Map<Change.Kind, Long> entries = new EnumMap<>(Change.Kind.class);
    private final Map<Change.Kind, Long> bytes = new EnumMap<>(Change.Kind.class);

    void count(Change change) {
        entries.merge(change.kind(), 1L, Long::sum);
        bytes.merge(change.kind(), change.bytes(), Long::sum);
    }

    Summary.Figures of(Change.Kind kind) {
        return new Summary.Figures(entries.getOrDefault(kind, 0L), bytes.getOrDefault(kind, 0L));
    }
}
