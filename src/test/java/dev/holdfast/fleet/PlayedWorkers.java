package dev.holdfast.fleet;

import dev.holdfast.role.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Of which workers is heard, without a database. */
public final class PlayedWorkers extends Workers {

    private final Map<String, Worker> heard = new ConcurrentHashMap<>();
    private volatile boolean away;

    /**
     * @param incarnation how often a process has begun under the name
     */
    public void hear(String id, int incarnation, Address at) {
        Worker worker = new Worker(id);
        for (int i = 0; i < incarnation; i++) {
            worker.begin("aaaa", Set.of(Role.WORKER), Instant.EPOCH, LEASE);
        }
        worker.tellAddress(Optional.of(at));
        heard.put(id, worker);
    }

    public void miss(String id) {
        heard.remove(id);
    }

    /** Whether nobody can be asked. */
    public void goAway(boolean now) {
        away = now;
    }

    @Override
    public List<Worker> reachable() {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return List.copyOf(heard.values());
    }
}
