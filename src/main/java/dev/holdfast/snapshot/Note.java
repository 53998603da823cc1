package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;

/** What somebody wrote on a snapshot for others. */
public record Note(String text) {

    public static final int LONGEST = 2_000;

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public Note {
        if (text.isEmpty()
                || text.codePointCount(0, text.length()) > LONGEST
                || !Labels.isPlain(text, true)) {
            throw Problem.invalid(
                    "note",
                    "\"note\" has 1 to "
                            + LONGEST
                            + " characters, none of which controls anything but the line;"
                            + " null removes it.");
        }
    }
}
