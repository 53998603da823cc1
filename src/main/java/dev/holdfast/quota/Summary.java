package dev.holdfast.quota;

import dev.holdfast.access.Allowance;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a project may store and stores, at one moment.
 *
 * @param plan what was sold
 * @param service what an operator has set instead
 * @param saved snapshots that are saved, also expired ones
 * @param uploads what is reserved for captures under way
 * @param paused the states of paused sandboxes; they count as bytes and not as snapshots
 * @param trash deleted, and can be brought back
 * @param cleanup deleted or expired, until its objects are gone
 */
public record Summary(
        Instant asOf,
        Allowance plan,
        Optional<Allowance> service,
        Charge saved,
        Charge uploads,
        Charge paused,
        Charge trash,
        Cleanup cleanup,
        Expired expired,
        long liveSandboxes) {

    /**
     * What awaits its clean-up and stays charged until then.
     *
     * @param failing how many could not be cleaned up so far
     * @param error how the last attempt at the one that failed most often ended
     * @param nextAt when the next of those is tried again
     */
    public record Cleanup(
            Charge charge, long failing, Optional<String> error, Optional<Instant> nextAt) {}

    /**
     * What is expired and not yet removed, a part of what is saved.
     *
     * @param free what its deletion would free
     * @param occupied how many more wait for sandboxes that live from them
     */
    public record Expired(Charge free, long occupied) {}

    public Summary {
        Objects.requireNonNull(asOf);
        Objects.requireNonNull(plan);
    }

    /** What is enforced. */
    public Allowance limit() {
        return service.orElse(plan);
    }

    /** What counts toward the byte limit. */
    public long usedBytes() {
        return saved.bytes()
                + uploads.bytes()
                + paused.bytes()
                + trash.bytes()
                + cleanup.charge().bytes();
    }

    /** What counts toward the limit of snapshots. */
    public long usedSnapshots() {
        return saved.count() + uploads.count() + trash.count() + cleanup.charge().count();
    }

    public List<Gauge> gauges() {
        return List.of(
                new Gauge(Limited.BYTES, limit().bytes(), usedBytes()),
                new Gauge(Limited.SNAPSHOTS, limit().snapshots(), usedSnapshots()),
                new Gauge(Limited.LIVE_SANDBOXES, limit().liveSandboxes(), liveSandboxes));
    }

    /** Those of which somebody should be warned. */
    public List<Gauge> warnings(int percent) {
        return gauges().stream().filter(gauge -> gauge.reaches(percent)).toList();
    }

    /** Whether more is used than is allowed. */
    public boolean isOver() {
        return gauges().stream().anyMatch(Gauge::isOver);
    }
}
