package dev.holdfast.job;

import jakarta.batch.runtime.BatchStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One run of a job, as the job repository has it.
 *
 * @param outcome its exit status, which says what it did
 * @param failure the first words of the exception that ended it
 * @param node who runs it or ran it; empty for what began nowhere
 */
public record Execution(
        long id,
        Job job,
        BatchStatus status,
        Optional<String> outcome,
        Optional<String> failure,
        Map<String, String> parameters,
        Counts counts,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<String> node) {

    /** Items of its chunks. */
    public record Counts(long read, long written, long skipped) {}

    public Execution {
        Objects.requireNonNull(job);
        Objects.requireNonNull(status);
        parameters = Map.copyOf(parameters);
    }

    public boolean isUnderWay() {
        return switch (status) {
            case STARTING, STARTED, STOPPING -> true;
            default -> false;
        };
    }
}
