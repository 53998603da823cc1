package dev.holdfast.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The whole state of a machine at one moment, raw on local disk.
 *
 * @param files names within the directory
 * @param freeze how long the machine stood still at most
 */
public record Checkpoint(
        MachineId id, Path directory, List<String> files, long bytes, Duration freeze) {
    public Checkpoint {
        files = List.copyOf(files);
    }
}
