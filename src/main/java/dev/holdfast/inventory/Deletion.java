package dev.holdfast.inventory;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.SnapshotId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What became of one snapshot that was to be deleted with others.
 *
 * @param why what kept it, or what it is instead; empty when it was deleted
 */
public record Deletion(SnapshotId id, Outcome outcome, Optional<Problem> why) {

    private static final String OCCUPANTS = "occupants";

    public Deletion {
        Objects.requireNonNull(id);
        Objects.requireNonNull(outcome);
        Objects.requireNonNull(why);
    }

    /** The words are API. */
    public enum Outcome {
        DELETED("deleted", false),
        /** Removed or expired before; if its clean-up had failed, that is tried again now. */
        AWAITING_CLEANUP("awaitingCleanup", false),
        /** There is none, or none any more. */
        NOT_FOUND("notFound", false),
        OCCUPIED("occupied", true),
        PINNED("pinned", true),
        HELD("held", true),
        NOT_SAVED("notSaved", true),
        FAILED("failed", true),
        /** The time of the call was over. */
        NOT_ATTEMPTED("notAttempted", true);

        private final String word;
        private final boolean failure;

        Outcome(String word, boolean failure) {
            this.word = word;
            this.failure = failure;
        }

        public String word() {
            return word;
        }

        /** Whether to ask again may help. */
        public boolean isFailure() {
            return failure;
        }
    }

    static Deletion done(SnapshotId id) {
        return new Deletion(id, Outcome.DELETED, Optional.empty());
    }

    static Deletion of(SnapshotId id, Outcome outcome, Problem why) {
        return new Deletion(id, outcome, Optional.of(why));
    }

    static Deletion refused(SnapshotId id, Problem why) {
        return of(
                id,
                switch (why.reason()) {
                    case SNAPSHOT_OCCUPIED -> Outcome.OCCUPIED;
                    case SNAPSHOT_PINNED -> Outcome.PINNED;
                    case SNAPSHOT_HELD -> Outcome.HELD;
                    case SNAPSHOT_NOT_SAVED -> Outcome.NOT_SAVED;
                    default -> Outcome.FAILED;
                },
                why);
    }

    static Deletion failed(SnapshotId id) {
        return of(
                id,
                Outcome.FAILED,
                new Problem(
                        Reason.INTERNAL_ERROR,
                        "Snapshot " + id + " could not be deleted. Try it again."));
    }

    static Deletion notAttempted(SnapshotId id) {
        return of(
                id,
                Outcome.NOT_ATTEMPTED,
                new Problem(
                        Reason.NOT_ATTEMPTED,
                        "The time of this call was over before snapshot "
                                + id
                                + " came. Ask for what is left again."));
    }

    /** The live sandboxes that keep it. */
    public List<String> occupants() {
        return why.map(problem -> problem.members().get(OCCUPANTS)).stream()
                .filter(List.class::isInstance)
                .flatMap(list -> ((List<?>) list).stream())
                .map(Object::toString)
                .toList();
    }
}
