package dev.holdfast.sandbox;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which of a project's live sandboxes a page shows, and in which order.
 *
 * @param states only those in one of these
 * @param search only those with this, in any case, in their ID, their template, the ID of their
 *     snapshot or a value of their metadata
 * @param byEnd by when their time is over, else by when they were made
 * @param skipped how many the pages before it have
 */
public record LiveSelection(
        Set<SandboxState> states,
        Optional<String> search,
        boolean byEnd,
        boolean ascending,
        int skipped,
        int limit) {

    public LiveSelection {
        states = Set.copyOf(states);
        Objects.requireNonNull(search);
    }
}
