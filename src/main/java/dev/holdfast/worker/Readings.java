package dev.holdfast.worker;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** What the meter has just read of all sandboxes of this worker. */
public record Readings(Instant at, List<Reading> all) {

    public Readings {
        Objects.requireNonNull(at);
        all = List.copyOf(all);
    }
}
