package dev.holdfast.retention;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Over what a rule counts. */
public enum Scope {
    NAME,
    SOURCE,
    PROJECT;

    public static Optional<Scope> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a snapshot is counted with; empty for one that is not counted so. */
    Optional<String> group(Candidate candidate) {
        return switch (this) {
            case NAME -> candidate.name().map(name -> name.shortName());
            case SOURCE -> Optional.of(candidate.source().value());
            case PROJECT -> Optional.of("");
        };
    }

    String words(String group) {
        return switch (this) {
            case NAME -> "the name \"" + group + "\"";
            case SOURCE -> "sandbox " + group;
            case PROJECT -> "the project";
        };
    }
}
