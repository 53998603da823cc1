package dev.holdfast.worker;

import dev.holdfast.snapshot.Fingerprint;
import java.time.Duration;
import java.util.List;

/**
 * The state of a sandbox as it was written to the local disk.
 *
 * @param files the names of the files in the directory that was asked for
 * @param freeze how long the sandbox stood still
 */
public record Frozen(List<String> files, Duration freeze, Fingerprint fingerprint) {

    public Frozen {
        files = List.copyOf(files);
    }
}
