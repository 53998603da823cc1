package dev.holdfast.autosave;

import dev.holdfast.snapshot.Operation;
import java.util.Objects;
import java.util.Optional;

/**
 * A sandbox's policy and what has come of it.
 *
 * @param last what became of the last capture, as long as anybody remembers it
 * @param kept how many of its captures are saved
 * @param live whether it can still capture
 */
public record Report(Autosave autosave, Optional<Operation> last, long kept, boolean live) {

    public Report {
        Objects.requireNonNull(autosave);
        Objects.requireNonNull(last);
    }
}
