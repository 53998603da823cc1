package dev.holdfast.runtime;

import java.time.Duration;

/**
 * What a machine uses now; sizes in bytes.
 *
 * @param memory without what the kernel can drop at once
 * @param tasks tasks on the host, the sandbox kernel's own included
 */
public record Usage(
        Duration cpu, long memory, long memoryLimit, long disk, long diskLimit, long tasks) {}
