package dev.holdfast.gateway;

import dev.holdfast.worker.LiveSandbox;
import java.util.Objects;

/** A request at a sandbox that was live when it came. */
public final class Visit {

    private final LiveSandbox sandbox;
    private final Departures departures;
    private final boolean proved;

    /**
     * @param proved whether the caller proved that the sandbox is his
     */
    Visit(LiveSandbox sandbox, Departures departures, boolean proved) {
        this.proved = proved;
        this.sandbox = Objects.requireNonNull(sandbox);
        this.departures = Objects.requireNonNull(departures);
    }

    public LiveSandbox sandbox() {
        return sandbox;
    }

    /**
     * Whether the caller proved that the sandbox is his, or nobody has to. On the port of the code
     * interpreter its clients do so where they run code, and nowhere else.
     */
    public boolean isProved() {
        return proved;
    }

    /**
     * Runs the action when the sandbox stops being live, at once if it has; unless closed before.
     */
    public Departures.Registration whenGone(Runnable action) {
        return departures.when(sandbox, action);
    }
}
