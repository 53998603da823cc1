package dev.holdfast.envd;

import dev.holdfast.worker.LiveSandbox;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How many answers of running or waiting code each sandbox has open, which is bounded. */
final class Executions {

    static final int MOST = 64;

    private final ConcurrentMap<LiveSandbox, Integer> open = new ConcurrentHashMap<>();

    /** Counts one more until {@link #leave}. */
    void enter(LiveSandbox sandbox) {
        int count = open.merge(sandbox, 1, Integer::sum);
        if (count > MOST) {
            leave(sandbox);
            throw new RestError(
                    429,
                    "%d executions of the sandbox run or wait, which is the most".formatted(MOST));
        }
    }

    void leave(LiveSandbox sandbox) {
        open.computeIfPresent(sandbox, (s, count) -> count == 1 ? null : count - 1);
    }

    int of(LiveSandbox sandbox) {
        return open.getOrDefault(sandbox, 0);
    }
}
