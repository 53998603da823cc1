package dev.holdfast.gateway;

import dev.holdfast.worker.LiveSandbox;
import java.util.Objects;

/** A request at a sandbox that was live when it came. */
public final class Visit {

    private final LiveSandbox sandbox;
    private final Departures departures;

    Visit(LiveSandbox sandbox, Departures departures) {
        this.sandbox = Objects.requireNonNull(sandbox);
        this.departures = Objects.requireNonNull(departures);
    }

    public LiveSandbox sandbox() {
        return sandbox;
    }

    /**
     * Runs the action when the sandbox stops being live, at once if it has; unless closed before.
     */
    public Departures.Registration whenGone(Runnable action) {
        return departures.when(sandbox, action);
    }
}
