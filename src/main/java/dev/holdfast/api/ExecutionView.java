package dev.holdfast.api;

import dev.holdfast.job.Execution;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One run of a job.
 *
 * @param id to be named by, a whole number
 * @param status {@code starting}, {@code started}, {@code stopping}, {@code stopped}, {@code
 *     failed}, {@code completed} or {@code abandoned}
 * @param outcome what it did or what was wrong, in words
 * @param failure how it failed, for whoever mends it
 * @param parameters those that were given
 * @param node who runs it or ran it
 * @param read items that it took, {@code written} those that it dealt with, {@code skipped} those
 *     that it left
 */
@Schema(
        name = "Execution",
        requiredProperties = {
            "id",
            "job",
            "status",
            "parameters",
            "read",
            "written",
            "skipped",
            "createdAt"
        })
public record ExecutionView(
        @Schema(examples = "42") String id,
        @Schema(examples = "expire-snapshots") String job,
        @Schema(
                        enumeration = {
                            "starting",
                            "started",
                            "stopping",
                            "stopped",
                            "failed",
                            "completed",
                            "abandoned"
                        })
                String status,
        String outcome,
        String failure,
        Map<String, String> parameters,
        String node,
        long read,
        long written,
        long skipped,
        Instant createdAt,
        Instant startedAt,
        Instant endedAt) {

    static ExecutionView of(Execution execution) {
        return new ExecutionView(
                Long.toString(execution.id()),
                execution.job().id(),
                execution.status().name().toLowerCase(Locale.ROOT),
                execution.outcome().orElse(null),
                execution.failure().orElse(null),
                execution.parameters(),
                execution.node().orElse(null),
                execution.counts().read(),
                execution.counts().written(),
                execution.counts().skipped(),
                execution.createdAt(),
                execution.startedAt().orElse(null),
                execution.endedAt().orElse(null));
    }
}
