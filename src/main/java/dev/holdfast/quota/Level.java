package dev.holdfast.quota;

/**
 * What a project stores at one moment, by its counters.
 *
 * <p>A counter never goes below zero: one that has drifted must not stand in the way of a clean-up,
 * and is put right by {@link Drifts}.
 *
 * @param savedBytes of its snapshots, whatever awaits its clean-up included
 * @param snapshots how many
 * @param pausedBytes of the states of its paused sandboxes
 */
public record Level(long savedBytes, long snapshots, long pausedBytes) {

    static final Level NOTHING = new Level(0, 0, 0);

    public Level {
        if (savedBytes < 0 || snapshots < 0 || pausedBytes < 0) {
            throw new IllegalArgumentException("nobody stores less than nothing");
        }
    }

    /** What counts toward the byte limit. */
    public long bytes() {
        return savedBytes + pausedBytes;
    }

    Level save(long bytes) {
        return new Level(savedBytes + bytes, snapshots + 1, pausedBytes);
    }

    Level free(long bytes, long count) {
        return new Level(
                Math.max(0, savedBytes - bytes), Math.max(0, snapshots - count), pausedBytes);
    }

    Level pause(long bytes) {
        return new Level(savedBytes, snapshots, pausedBytes + bytes);
    }

    Level freePause(long bytes) {
        return new Level(savedBytes, snapshots, Math.max(0, pausedBytes - bytes));
    }
}
