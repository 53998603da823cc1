package dev.holdfast.api;

import dev.holdfast.contents.Comparison;
import dev.holdfast.contents.Summary;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Two snapshots that are compared, or were.
 *
 * @param since the snapshot as it was
 * @param entries how many entries of both were looked at so far
 * @param summary once it is done
 * @param message of a failure, for people
 * @param expiresAt until then it is kept
 */
@Schema(
        name = "Comparison",
        requiredProperties = {
            "id",
            "snapshotId",
            "since",
            "state",
            "entries",
            "createdAt",
            "expiresAt"
        })
public record ComparisonView(
        @Schema(format = "uuid") String id,
        @Schema(format = "uuid") String snapshotId,
        @Schema(format = "uuid") String since,
        @Schema(enumeration = {"accepted", "running", "done", "failed", "cancelled"}) String state,
        long entries,
        Summary summary,
        String message,
        Instant createdAt,
        Instant endedAt,
        Instant expiresAt) {

    static ComparisonView of(Comparison comparison, Optional<Summary> summary) {
        return new ComparisonView(
                comparison.id().toString(),
                comparison.other().toString(),
                comparison.base().toString(),
                comparison.state().name().toLowerCase(Locale.ROOT),
                comparison.entries(),
                summary.orElse(null),
                comparison.failure().orElse(null),
                comparison.createdAt(),
                comparison.endedAt().orElse(null),
                comparison.expiresAt());
    }
}
