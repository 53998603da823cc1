package dev.holdfast.envd;

/** How much the watchers of one sandbox may keep together, counted as the agent sent it. */
final class WatcherSpace {

    private static final long MOST = 4 * 1024 * 1024;

    private long used;

    /** Whether there was room. */
    synchronized boolean take(int cost) {
        if (used + cost > MOST) {
            return false;
        }
        used += cost;
        return true;
    }

    synchronized void give(long cost) {
        used -= cost;
    }
}
