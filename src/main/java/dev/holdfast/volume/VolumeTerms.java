package dev.holdfast.volume;

import dev.holdfast.problem.Problem;
import java.util.Objects;
import java.util.Optional;

/**
 * What can be said of a volume when it is made and be changed later.
 *
 * @param limit bytes that its file system has, its own bookkeeping among them
 */
public record VolumeTerms(long limit, Optional<String> note) {

    /** Below that a file system is all bookkeeping. */
    static final long LEAST = 16L << 20;

    private static final int LONGEST_NOTE = 1000;
    private static final long PAGE = 4096;

    public VolumeTerms {
        Objects.requireNonNull(note);
        if (limit % PAGE != 0) {
            limit = (limit / PAGE + 1) * PAGE;
        }
        if (note.filter(text -> text.length() > LONGEST_NOTE || text.indexOf('\0') >= 0)
                .isPresent()) {
            throw Problem.invalid(
                    "note", "\"note\" has at most " + LONGEST_NOTE + " characters and no NUL.");
        }
        note = note.filter(text -> !text.isBlank());
    }

    void requireWithin(long largest) {
        if (limit < LEAST || limit > largest) {
            throw Problem.invalid(
                            "limitBytes",
                            "\"limitBytes\" is a number from " + LEAST + " to " + largest + ".")
                    .with("limit", largest);
        }
    }
}
