package dev.holdfast.worker;

import dev.holdfast.runtime.Usage;
import dev.holdfast.sandbox.SandboxId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * What the host knows of a sandbox of this worker at a moment, without asking it.
 *
 * @param machine a sandbox that went on has another one, and its counters begin anew
 * @param cpu since the machine began
 * @param memory without what the kernel can drop at once
 * @param disk what it has written and not removed
 * @param visits requests and connections of its data plane since this server knows it
 * @param saved how often its state was written since this server knows it
 * @param saving whether that is being done
 */
public record Reading(
        SandboxId sandbox,
        String machine,
        Instant at,
        Duration cpu,
        long memory,
        long memoryLimit,
        long disk,
        long visits,
        long saved,
        boolean saving) {

    public Reading {
        Objects.requireNonNull(sandbox);
        Objects.requireNonNull(machine);
        Objects.requireNonNull(at);
        Objects.requireNonNull(cpu);
    }

    static Reading of(LiveSandbox sandbox, Usage usage, Instant now) {
        return new Reading(
                sandbox.id(),
                sandbox.machine().id().value(),
                now,
                usage.cpu(),
                usage.memory(),
                usage.memoryLimit(),
                usage.disk(),
                sandbox.presence().visits(),
                sandbox.timesSaved(),
                sandbox.freezing().isLocked());
    }
}
