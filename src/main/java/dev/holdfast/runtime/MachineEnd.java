package dev.holdfast.runtime;

import java.time.Instant;

/**
 * A machine that ended without being asked to; told once. Its processes are dead when it is told.
 */
public record MachineEnd(MachineId id, Reason reason, Instant at) {
    public enum Reason {
        /** Its memory limit was reached; the kernel killed something in it, so all of it goes. */
        OUT_OF_MEMORY,
        /** Its guard on host tasks was reached; what refuses a task at random cannot go on. */
        OUT_OF_PROCESSES,
        /** Its process is gone: the agent ended, the sandbox kernel broke, or someone killed it. */
        FAILED
    }
}
