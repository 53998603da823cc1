package dev.holdfast.runtime;

/** What a machine runs on. */
public enum Generation {
    /** The host's own kernel, by runc in a user namespace: lighter, and never saved. */
    FIRST(1),
    /** A kernel of its own, by gVisor. */
    SECOND(2);

    private final int number;

    Generation(int number) {
        this.number = number;
    }

    public static Generation of(int number) {
        return switch (number) {
            case 1 -> FIRST;
            case 2 -> SECOND;
            default -> throw new IllegalArgumentException("No generation " + number);
        };
    }

    public int number() {
        return number;
    }

    boolean isLight() {
        return this == FIRST;
    }
}
