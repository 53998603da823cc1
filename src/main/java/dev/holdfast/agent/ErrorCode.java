package dev.holdfast.agent;

import java.util.Locale;

/** Why an operation of the agent did not succeed. The names are stable; callers decide by them. */
public enum ErrorCode {
    NOT_FOUND,
    ALREADY_EXISTS,
    INVALID_ARGUMENT,
    NOT_A_DIRECTORY,
    IS_A_DIRECTORY,
    PERMISSION_DENIED,
    NO_SPACE,
    FAILED_PRECONDITION,
    RESOURCE_EXHAUSTED,
    /** More was said than an operation may say: it is given up, and nothing else is. */
    TOO_LARGE,
    UNKNOWN_USER,
    UNIMPLEMENTED,
    /** A frame was lost, repeated or damaged: this channel is over. */
    CHANNEL_RESET,
    /**
     * The channel is closed, failed or not connected; whether the operation happened is unknown.
     */
    UNAVAILABLE,
    /** The agent did not answer in time. */
    DEADLINE,
    INTERNAL;

    /** What the agent calls it; a word of a newer or a lying agent counts as INTERNAL. */
    static ErrorCode of(String word) {
        for (var code : values()) {
            if (code.word().equals(word)) {
                return code;
            }
        }
        return INTERNAL;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
