package dev.holdfast.fleet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Of which workers is heard, without a database. */
public final class PlayedWorkers extends Workers {

    private final Map<String, Long> heard = new ConcurrentHashMap<>();
    private volatile boolean away;

    public PlayedWorkers hear(String worker, long incarnation) {
        heard.put(worker, incarnation);
        return this;
    }

    public void miss(String worker) {
        heard.remove(worker);
    }

    /** Whether nobody can be asked. */
    public void goAway(boolean now) {
        away = now;
    }

    @Override
    public Map<String, Long> heard() {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return Map.copyOf(heard);
    }
}
