package dev.holdfast.sandbox;

import java.util.Objects;

/** What a worker is asked to do with a sandbox; travels on {@code holdfast.runtime}. */
public record RuntimeRequest(Operation operation, SandboxId sandbox, String worker) {

    public static final int VERSION = 1;

    public enum Operation {
        /** Make its machine, fresh or from its snapshot. */
        START,
        /** Its row has ended: end its machine. */
        KILL
    }

    public RuntimeRequest {
        Objects.requireNonNull(operation);
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(worker);
    }
}
