package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Instant;
import java.util.Objects;

/** What is known of a snapshot that can be used no more. */
public record Gone(SnapshotId id, RemovalReason why, Instant at) {

    public Gone {
        Objects.requireNonNull(id);
        Objects.requireNonNull(why);
        Objects.requireNonNull(at);
    }

    public Problem problem() {
        return switch (why) {
            case EXPIRED ->
                    new Problem(
                            Reason.SNAPSHOT_EXPIRED,
                            "Snapshot "
                                    + id
                                    + " expired at "
                                    + at
                                    + " and cannot be used. Capture again, or use another"
                                    + " snapshot.");
            case DELETED ->
                    new Problem(
                            Reason.SNAPSHOT_DELETED,
                            "Snapshot " + id + " was deleted and cannot be used.");
            case FAILED ->
                    new Problem(
                            Reason.SNAPSHOT_NOT_FOUND,
                            "Snapshot " + id + " was never saved: its capture failed.");
        };
    }
}
