package dev.holdfast.problem;

import java.util.OptionalLong;

/** What a caller has seen of the thing that is to be changed: {@code If-Match}. */
public final class Precondition {
    private Precondition() {}

    /**
     * @param seen the version that somebody saw, if it matters
     * @param version the present one
     * @param what is to be changed, as the beginning of a sentence
     * @throws Problem {@code precondition_failed}
     */
    public static void require(OptionalLong seen, long version, String what) {
        if (seen.isPresent() && seen.getAsLong() != version) {
            throw new Problem(
                    Reason.PRECONDITION_FAILED,
                    what + " was changed meanwhile. Read it again, then say what it shall be.");
        }
    }
}
