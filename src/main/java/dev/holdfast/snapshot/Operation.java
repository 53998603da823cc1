package dev.holdfast.snapshot;

import dev.holdfast.sandbox.SandboxId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A capture as an act: how far it has come and how it ended.
 *
 * @param name the one it was to have, also when it failed and the name is free again
 * @param bytesDone how much of the state has been read for storing
 * @param bytesExpected the size of the state, known once it is written
 * @param freeze how long the source stood still
 * @param deadlineAt none when only a tombstone remembers the capture
 */
public record Operation(
        UploadId upload,
        Kind kind,
        SandboxId source,
        SnapshotId snapshot,
        OperationState state,
        Phase phase,
        Optional<SnapshotName> name,
        long bytesDone,
        Optional<Long> bytesExpected,
        Optional<Duration> freeze,
        Instant startedAt,
        Optional<Instant> deadlineAt,
        Optional<Instant> endedAt,
        Optional<Failure> failure) {

    public Operation {
        Objects.requireNonNull(upload);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(source);
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(state);
        Objects.requireNonNull(phase);
        Objects.requireNonNull(startedAt);
    }
}
