package dev.holdfast.quota;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Objects;

/**
 * What a project stored on a day, UTC.
 *
 * @param saved its snapshots, whatever awaited its clean-up included
 * @param paused the states of its paused sandboxes
 * @param peakBytes the most it stored at once, of both together
 * @param snapshots how many there were at the end of the day, or are now
 */
public record UsageDay(
        LocalDate day, ByteTime saved, ByteTime paused, long peakBytes, long snapshots) {

    public UsageDay {
        Objects.requireNonNull(day);
        Objects.requireNonNull(saved);
        Objects.requireNonNull(paused);
    }

    static UsageDay empty(LocalDate day) {
        return of(day, Level.NOTHING, Duration.ZERO);
    }

    static UsageDay of(LocalDate day, Level level, Duration time) {
        return new UsageDay(
                day,
                ByteTime.of(level.savedBytes(), time),
                ByteTime.of(level.pausedBytes(), time),
                level.bytes(),
                level.snapshots());
    }

    /** The same day with what came later on it. */
    UsageDay then(UsageDay later) {
        if (!day.equals(later.day)) {
            throw new IllegalArgumentException(later.day + " is no part of " + day);
        }
        return new UsageDay(
                day,
                saved.plus(later.saved),
                paused.plus(later.paused),
                Math.max(peakBytes, later.peakBytes),
                later.snapshots);
    }

    boolean isEmpty() {
        return equals(empty(day));
    }

    public ByteTime both() {
        return saved.plus(paused);
    }
}
