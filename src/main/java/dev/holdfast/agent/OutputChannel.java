package dev.holdfast.agent;

/** Where a chunk of a process came from. */
public enum OutputChannel {
    STDOUT,
    STDERR,
    PTY;

    /** Null where the number is none of them. */
    static OutputChannel of(int number) {
        return switch (number) {
            case 1 -> STDOUT;
            case 2 -> STDERR;
            case 3 -> PTY;
            default -> null;
        };
    }
}
