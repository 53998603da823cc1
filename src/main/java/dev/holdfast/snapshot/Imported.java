package dev.holdfast.snapshot;

import java.util.Objects;
import java.util.Optional;

/**
 * What became of an import.
 *
 * @param projectMade its project did not exist
 * @param templateMade its template did not exist
 * @param renamed the older snapshot that held its name and is unnamed now
 * @param nameless whether it loses its name, to a newer one or because it has expired
 * @param overdue whether it has expired by its manifest and nothing says whether that was moved
 */
public record Imported(
        Outcome outcome,
        boolean projectMade,
        boolean templateMade,
        Optional<SnapshotId> renamed,
        boolean nameless,
        boolean overdue) {

    /** Whether there is a row now that was not there before. */
    public enum Outcome {
        IMPORTED,
        /** The catalogue has it, or has removed it. */
        KNOWN,
        /** It is the state of a pause whose sandbox is gone: nobody can ever ask for it. */
        WITHOUT_SANDBOX
    }

    public Imported {
        Objects.requireNonNull(outcome);
        Objects.requireNonNull(renamed);
    }

    static Imported known() {
        return new Imported(Outcome.KNOWN, false, false, Optional.empty(), false, false);
    }

    static Imported withoutSandbox() {
        return new Imported(Outcome.WITHOUT_SANDBOX, false, false, Optional.empty(), false, false);
    }
}
