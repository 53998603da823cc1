package dev.holdfast.agent;

import java.util.Objects;

/**
 * An operation was refused by the agent or could not reach it. The message may come from inside a
 * sandbox: never trust it.
 */
public final class AgentException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 4096;

    private final ErrorCode code;

    public AgentException(ErrorCode code, String message) {
        // No stack trace: it would show the reader thread, and a sandbox could make the host fill
        // thousands of them.
        super(shortened(message), null, false, false);
        this.code = Objects.requireNonNull(code);
    }

    public ErrorCode code() {
        return code;
    }

    static AgentException unavailable(String message) {
        return new AgentException(ErrorCode.UNAVAILABLE, message);
    }

    static AgentException reset(String message) {
        return new AgentException(ErrorCode.CHANNEL_RESET, message);
    }

    static AgentException tooLarge(String message) {
        return new AgentException(ErrorCode.TOO_LARGE, message);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST ? message : message.substring(0, LONGEST);
    }
}
