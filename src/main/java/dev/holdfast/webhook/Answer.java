package dev.holdfast.webhook;

import java.util.OptionalInt;

/**
 * What came of one try.
 *
 * @param status empty if there was no answer
 * @param detail the beginning of the answer, or why there was none
 */
record Answer(OptionalInt status, String detail) {
    private static final int LONGEST = 500;
    private static final int GONE = 410;

    Answer {
        detail = detail.replace('\0', ' ');
        detail = detail.length() > LONGEST ? detail.substring(0, LONGEST) : detail;
    }

    static Answer none(String why) {
        return new Answer(OptionalInt.empty(), why);
    }

    boolean isTaken() {
        return status.isPresent() && status.getAsInt() / 100 == 2;
    }

    /** The endpoint says that it wants no more. */
    boolean isGone() {
        return status.isPresent() && status.getAsInt() == GONE;
    }
}
