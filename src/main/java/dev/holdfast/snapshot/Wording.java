package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;

/** The reason that somebody gives for a pin or a hold. */
final class Wording {
    private Wording() {}

    /**
     * @throws Problem {@code invalid_parameter}
     */
    static void require(String reason) {
        if (reason == null
                || reason.isBlank()
                || reason.codePointCount(0, reason.length()) > Pin.LONGEST_REASON
                || !Labels.isPlain(reason, false)) {
            throw Problem.invalid(
                    "reason",
                    "\"reason\" says to others why, in 1 to "
                            + Pin.LONGEST_REASON
                            + " characters on one line.");
        }
    }
}
