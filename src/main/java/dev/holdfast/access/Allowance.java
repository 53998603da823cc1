package dev.holdfast.access;

import java.time.Duration;

/**
 * How much a project may have at once.
 *
 * @param bytes stored bytes of its snapshots
 * @param snapshots how many of them
 * @param liveSandboxes running or paused
 * @param longestLifetime what a sandbox may be given, in whole seconds
 */
public record Allowance(long bytes, int snapshots, int liveSandboxes, Duration longestLifetime) {
    public Allowance {
        if (bytes < 0 || snapshots < 0 || liveSandboxes < 0) {
            throw new IllegalArgumentException("An allowance cannot be negative");
        }
        if (longestLifetime.compareTo(Duration.ofSeconds(1)) < 0
                || longestLifetime.getNano() != 0) {
            throw new IllegalArgumentException(
                    "The longest lifetime is at least 1 s, whole seconds");
        }
    }
}
