package dev.holdfast.quota;

import dev.holdfast.access.ProjectId;
import java.util.Objects;

/**
 * What is wrong with the counters of a project.
 *
 * @param counted what they say
 * @param stored what the rows of its snapshots say
 * @param stale room that is held for captures which are over
 */
public record Drift(ProjectId project, Level counted, Level stored, Charge stale) {

    public Drift {
        Objects.requireNonNull(project);
        Objects.requireNonNull(counted);
        Objects.requireNonNull(stored);
        Objects.requireNonNull(stale);
    }

    /** Whether the counters themselves are wrong. */
    public boolean isMiscounted() {
        return !counted.equals(stored);
    }

    public boolean isStale() {
        return stale.count() > 0;
    }

    /** By how many bytes they are wrong. */
    public long bytes() {
        return Math.abs(counted.savedBytes() - stored.savedBytes())
                + Math.abs(counted.pausedBytes() - stored.pausedBytes());
    }

    /** By how many snapshots. */
    public long snapshots() {
        return Math.abs(counted.snapshots() - stored.snapshots());
    }
}
