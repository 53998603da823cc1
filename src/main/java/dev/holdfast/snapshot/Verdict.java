package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a snapshot can be restored, before anybody tries. A restore goes by the same answer. */
public sealed interface Verdict {

    /** The stable word that programs test. */
    String reason();

    /** The same for people. */
    String words();

    /**
     * It can.
     *
     * @param workers where
     * @param doubt how the last restore failed all the same; it is no reason not to try again
     */
    record Yes(List<String> workers, Optional<Doubt> doubt) implements Verdict {

        public Yes {
            workers = List.copyOf(workers);
            Objects.requireNonNull(doubt);
        }

        @Override
        public String reason() {
            return doubt.isEmpty() ? "restorable" : "restore_failed";
        }

        @Override
        public String words() {
            return doubt.map(
                            last ->
                                    "It should be restorable, but the restore at "
                                            + last.at()
                                            + " failed: "
                                            + last.words()
                                            + ".")
                    .orElse("It can be restored.");
        }
    }

    /** It cannot. */
    record No(Why why, String words, List<Difference> differences) implements Verdict {

        public No {
            Objects.requireNonNull(why);
            Objects.requireNonNull(words);
            differences = List.copyOf(differences);
        }

        @Override
        public String reason() {
            return why.word;
        }

        /** The refusal of a restore. */
        public Problem problem() {
            Problem problem = new Problem(why.refusal, words);
            return differences.isEmpty()
                    ? problem
                    : problem.with(
                            "differences", differences.stream().map(Difference::members).toList());
        }
    }

    /** A restore that failed in spite of a yes. */
    record Doubt(String words, Instant at) {

        public Doubt {
            Objects.requireNonNull(words);
            Objects.requireNonNull(at);
        }
    }

    /** Why not. */
    enum Why {
        EXPIRED("expired", Reason.SNAPSHOT_EXPIRED),
        NOT_SAVED("not_saved", Reason.SNAPSHOT_NOT_SAVED),
        INCOMPATIBLE_RUNTIME("incompatible_runtime", Reason.INCOMPATIBLE_RUNTIME),
        MISSING_PART("missing_part", Reason.MISSING_PART),
        CORRUPT_PART("corrupt_part", Reason.CORRUPT_PART),
        VOLUME_DELETED("volume_deleted", Reason.VOLUME_DELETED),
        VOLUME_ELSEWHERE("volume_elsewhere", Reason.VOLUME_ELSEWHERE),
        NO_WORKER("no_worker", Reason.NO_WORKER);

        private final String word;
        private final Reason refusal;

        Why(String word, Reason refusal) {
            this.word = word;
            this.refusal = refusal;
        }
    }

    static Verdict no(Snapshot snapshot, Why why, List<Difference> differences) {
        return new No(why, words(snapshot, why, differences), differences);
    }

    private static String words(Snapshot snapshot, Why why, List<Difference> differences) {
        String which = "Snapshot " + snapshot.id();
        return switch (why) {
            case EXPIRED ->
                    which
                            + " expired at "
                            + snapshot.expiresAt().orElseThrow()
                            + " and cannot be used. Capture again, or use another snapshot.";
            case NOT_SAVED ->
                    which
                            + switch (snapshot.state()) {
                                case UPLOADING ->
                                        " is still being captured. Use it once it is saved.";
                                case TRASHED ->
                                        " is in the trash. Bring it back first, or use another"
                                                + " snapshot.";
                                case SAVED, CLEANUP_PENDING -> " was removed and cannot be used.";
                            };
            case MISSING_PART ->
                    which
                            + " has lost a stored part and cannot be restored. Use another"
                            + " snapshot.";
            case CORRUPT_PART ->
                    which + " has a damaged part and cannot be restored. Use another snapshot.";
            case INCOMPATIBLE_RUNTIME ->
                    "No worker has what "
                            + "snapshot "
                            + snapshot.id()
                            + " needs: "
                            + differences.stream()
                                    .map(Difference::words)
                                    .collect(Collectors.joining("; "))
                            + ". Use another snapshot, or add such a worker.";
            case VOLUME_DELETED ->
                    which
                            + " mounts a volume that has been deleted: "
                            + mounts(snapshot)
                            + ". Use another snapshot.";
            case VOLUME_ELSEWHERE ->
                    which
                            + " needs its volumes, and no worker that can restore it has all of"
                            + " them: "
                            + mounts(snapshot)
                            + ". Use another snapshot, or ask again when their worker is there.";
            case NO_WORKER -> "No worker takes sandboxes now. Ask again later.";
        };
    }

    private static String mounts(Snapshot snapshot) {
        return snapshot.mounts().stream()
                .map(mount -> mount.name() + " at " + mount.path())
                .collect(Collectors.joining(", "));
    }
}
