package dev.holdfast.sandbox;

/** Why a sandbox ended. */
public enum EndReason {
    KILLED("killed"),
    TIMEOUT("timeout"),
    IDLE("idle"),
    OUT_OF_MEMORY("out of memory"),
    WORKER_LOST("worker lost"),
    WORKER_STOPPED("worker stopped"),
    PROJECT_CLOSED("project closed"),
    FAILED("failed");

    private final String words;

    EndReason(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
