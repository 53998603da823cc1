package dev.holdfast.sandbox;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which sandboxes a list shows.
 *
 * @param states only those in one of these
 * @param metadata only those that have all of these labels
 * @param template only those made from this template
 * @param startedAfter only those started then or later
 * @param ascending oldest first
 * @param after only those behind this place of the list
 * @param limit how many at most
 */
public record SandboxQuery(
        Set<SandboxState> states,
        Map<String, String> metadata,
        Optional<String> template,
        Optional<Instant> startedAfter,
        boolean ascending,
        Optional<Place> after,
        int limit) {

    /** Those a client can talk to or wake. */
    public static final Set<SandboxState> RUNNING =
            Set.copyOf(EnumSet.of(SandboxState.RUNNING, SandboxState.SNAPSHOTTING));

    public static final Set<SandboxState> PAUSED =
            Set.copyOf(
                    EnumSet.of(SandboxState.PAUSING, SandboxState.PAUSED, SandboxState.RESUMING));

    /** A place in the list. */
    public record Place(Instant startedAt, SandboxId id) {
        public Place {
            Objects.requireNonNull(startedAt);
            Objects.requireNonNull(id);
        }
    }

    public SandboxQuery {
        states = Set.copyOf(states);
        metadata = Map.copyOf(metadata);
        Objects.requireNonNull(template);
        Objects.requireNonNull(startedAfter);
        Objects.requireNonNull(after);
    }
}
