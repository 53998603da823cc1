package dev.holdfast.quota;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** What a project has stored, settled captures only. */
@Entity
@Table(name = "project_usage")
class Usage {

    @Id private UUID projectId;
    private long storedBytes;
    private long storedCount;
    private long pausedBytes;
    private Instant measuredAt;
    private boolean bytesWarned;
    private boolean snapshotsWarned;

    protected Usage() {}

    /** One that has stored nothing up to now. */
    Usage(Instant now) {
        measuredAt = now;
    }

    Level level() {
        return new Level(storedBytes, storedCount, pausedBytes);
    }

    /**
     * Changes the level.
     *
     * @return the time for which it was what it was before; none where the clock has gone back, so
     *     that no time is charged twice
     */
    Span change(UnaryOperator<Level> change, Instant now) {
        Instant from = measuredAt;
        Instant to = now.isBefore(from) ? from : now;
        Level before = level();
        Level after = change.apply(before);
        measuredAt = to;
        storedBytes = after.savedBytes();
        storedCount = after.snapshots();
        pausedBytes = after.pausedBytes();
        return new Span(from, to, before);
    }

    /** What has reached the percentage since it was last below; each is told once. */
    List<Gauge> crossed(long mostBytes, long mostSnapshots, int percent) {
        Gauge bytes = new Gauge(Limited.BYTES, mostBytes, level().bytes());
        Gauge snapshots = new Gauge(Limited.SNAPSHOTS, mostSnapshots, storedCount);
        List<Gauge> crossed = new ArrayList<>();
        if (bytes.reaches(percent) && !bytesWarned) {
            crossed.add(bytes);
        }
        if (snapshots.reaches(percent) && !snapshotsWarned) {
            crossed.add(snapshots);
        }
        bytesWarned = bytes.reaches(percent);
        snapshotsWarned = snapshots.reaches(percent);
        return crossed;
    }
}
