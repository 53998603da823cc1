package dev.holdfast.api;

import dev.holdfast.quota.Charge;
import dev.holdfast.quota.Gauge;
import dev.holdfast.quota.Summary;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a project may store and stores, at one moment.
 *
 * @param plan what the project was given
 * @param serviceLimit what an operator has set instead, for the time being; absent: nothing
 * @param limit what is enforced: the service limit, else the plan
 * @param used what counts toward the limit, the sum of the figures below it
 * @param saved snapshots that are saved, also expired ones
 * @param uploads what is reserved for captures under way
 * @param paused the states of paused sandboxes, which do not count as snapshots
 * @param trash deleted snapshots that can be brought back
 * @param awaitingCleanup deleted or expired snapshots whose objects are not gone yet
 * @param expired of the saved ones those that have expired
 * @param warnings what nears or has reached its limit
 * @param over whether more is used than is allowed: nothing is removed for that, and nothing new is
 *     admitted
 */
@Schema(
        name = "Storage",
        requiredProperties = {
            "asOf",
            "plan",
            "limit",
            "used",
            "saved",
            "uploads",
            "paused",
            "trash",
            "awaitingCleanup",
            "expired",
            "warnings",
            "over"
        })
public record StorageView(
        Instant asOf,
        AllowanceView plan,
        AllowanceView serviceLimit,
        AllowanceView limit,
        Used used,
        Stored saved,
        Stored uploads,
        Stored paused,
        Stored trash,
        Cleanup awaitingCleanup,
        Expired expired,
        List<Warning> warnings,
        boolean over) {

    public StorageView {
        warnings = warnings == null ? List.of() : List.copyOf(warnings);
    }

    @Schema(
            name = "StorageUsed",
            requiredProperties = {"bytes", "snapshots", "liveSandboxes"})
    public record Used(long bytes, long snapshots, long liveSandboxes) {}

    @Schema(
            name = "StorageShare",
            requiredProperties = {"bytes", "count"})
    public record Stored(long bytes, long count) {

        static Stored of(Charge charge) {
            return new Stored(charge.bytes(), charge.count());
        }
    }

    /**
     * What stays charged until its clean-up is finished.
     *
     * @param failing how many could not be cleaned up so far
     * @param lastError how the last attempt ended at the one that failed most often; absent: none
     *     failed
     * @param nextAttemptAt when the next of those is tried again
     */
    @Schema(
            name = "StorageCleanup",
            requiredProperties = {"bytes", "count", "failing"})
    public record Cleanup(
            long bytes, long count, long failing, String lastError, Instant nextAttemptAt) {

        static Cleanup of(Summary.Cleanup cleanup) {
            return new Cleanup(
                    cleanup.charge().bytes(),
                    cleanup.charge().count(),
                    cleanup.failing(),
                    cleanup.error().orElse(null),
                    cleanup.nextAt().orElse(null));
        }
    }

    /**
     * What deleting the expired snapshots would free.
     *
     * @param occupied how many more have expired and stay until the sandboxes have ended that live
     *     from them
     */
    @Schema(
            name = "StorageExpired",
            requiredProperties = {"bytes", "count", "occupied"})
    public record Expired(long bytes, long count, long occupied) {}

    /**
     * A limit that is nearly reached, or reached.
     *
     * @param what bytes, snapshots or liveSandboxes
     * @param percent of the limit, rounded down
     * @param over whether it is exceeded
     */
    @Schema(
            name = "StorageWarning",
            requiredProperties = {"what", "limit", "used", "percent", "over"})
    public record Warning(
            @Schema(enumeration = {"bytes", "snapshots", "liveSandboxes"}) String what,
            long limit,
            long used,
            long percent,
            boolean over) {

        static Warning of(Gauge gauge) {
            return new Warning(
                    gauge.what().word(),
                    gauge.limit(),
                    gauge.used(),
                    gauge.percent(),
                    gauge.isOver());
        }
    }

    static StorageView of(Summary summary, List<Gauge> warnings) {
        return new StorageView(
                summary.asOf(),
                AllowanceView.of(summary.plan()),
                summary.service().map(AllowanceView::of).orElse(null),
                AllowanceView.of(summary.limit()),
                new Used(summary.usedBytes(), summary.usedSnapshots(), summary.liveSandboxes()),
                Stored.of(summary.saved()),
                Stored.of(summary.uploads()),
                Stored.of(summary.paused()),
                Stored.of(summary.trash()),
                Cleanup.of(summary.cleanup()),
                new Expired(
                        summary.expired().free().bytes(),
                        summary.expired().free().count(),
                        summary.expired().occupied()),
                warnings.stream().map(Warning::of).toList(),
                summary.isOver());
    }
}
