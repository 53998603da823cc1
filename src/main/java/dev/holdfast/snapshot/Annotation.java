package dev.holdfast.snapshot;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is to be written on a snapshot.
 *
 * @param note if empty it stays; what it holds takes its place, or removes it
 * @param labels what keys get; nothing removes one, and others stay
 */
public record Annotation(Optional<Optional<Note>> note, Map<String, Optional<String>> labels) {

    public Annotation {
        Objects.requireNonNull(note);
        labels = Map.copyOf(labels);
    }

    public boolean isEmpty() {
        return note.isEmpty() && labels.isEmpty();
    }
}
