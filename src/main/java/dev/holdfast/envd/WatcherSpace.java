package dev.holdfast.envd;

/**
 * How much the watchers of one sandbox may keep together, and those of all sandboxes: as the agent
 * sent it, and what an event takes besides.
 */
final class WatcherSpace {

    /** How something fits. */
    enum Fit {
        ROOM,
        /** For what the agent had credit for; it gets no more. */
        TIGHT,
        NONE
    }

    private static final long MOST = 8L * 1024 * 1024;
    private static final long MOST_OF_ALL = 64L * 1024 * 1024;
    private static final int RESERVE = 4;

    /** What a sandbox has of it also where others have taken all. */
    private static final long OWN = 256L * 1024;

    private static final int EVENT = 256;

    private final long most;
    private final WatcherSpace around;
    private long used;

    private WatcherSpace(long most, WatcherSpace around) {
        this.most = most;
        this.around = around;
    }

    static WatcherSpace ofAll() {
        return new WatcherSpace(MOST_OF_ALL, null);
    }

    WatcherSpace ofSandbox() {
        return new WatcherSpace(MOST, this);
    }

    /** What an event comes to that cost so much. */
    static long weight(int cost) {
        return (long) cost + EVENT;
    }

    /** Takes it, here and around, unless there is no place at all. */
    Fit take(long weight) {
        return take(weight, false);
    }

    /**
     * @param due whether there is a place in any case
     */
    private synchronized Fit take(long weight, boolean due) {
        if (!due && used + weight > most + most / RESERVE) {
            return Fit.NONE;
        }
        Fit outside = around == null ? Fit.ROOM : around.take(weight, used + weight <= OWN);
        if (outside != Fit.NONE) {
            used += weight;
        }
        return outside == Fit.ROOM && used > most ? Fit.TIGHT : outside;
    }

    synchronized void give(long weight) {
        used -= weight;
        if (around != null) {
            around.give(weight);
        }
    }
}
