package dev.holdfast.api;

import dev.holdfast.quota.History;
import dev.holdfast.quota.UsageDay;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a project stored, day by day.
 *
 * @param asOf up to when the last day, which is today, reaches
 * @param byteHours of all these days together
 */
@Schema(
        name = "StorageHistory",
        requiredProperties = {"asOf", "byteHours", "days"})
public record StorageHistoryView(Instant asOf, long byteHours, List<Day> days) {

    public StorageHistoryView {
        days = days == null ? List.of() : List.copyOf(days);
    }

    /**
     * One day, UTC.
     *
     * @param day as {@code 2026-01-31}
     * @param byteHours stored bytes times the hours they were stored
     * @param savedByteHours of these those of snapshots, until their objects are gone
     * @param pausedByteHours and those of paused sandboxes
     * @param peakBytes the most that was stored at once
     * @param snapshots how many there were when the day ended, or are now
     */
    @Schema(
            name = "StorageDay",
            requiredProperties = {
                "day",
                "byteHours",
                "savedByteHours",
                "pausedByteHours",
                "peakBytes",
                "snapshots"
            })
    public record Day(
            @Schema(format = "date") String day,
            long byteHours,
            long savedByteHours,
            long pausedByteHours,
            long peakBytes,
            long snapshots) {

        static Day of(UsageDay day) {
            return new Day(
                    day.day().toString(),
                    day.both().byteHours(),
                    day.saved().byteHours(),
                    day.paused().byteHours(),
                    day.peakBytes(),
                    day.snapshots());
        }
    }

    static StorageHistoryView of(History history) {
        return new StorageHistoryView(
                history.asOf(),
                history.total().byteHours(),
                history.days().stream().map(Day::of).toList());
    }
}
