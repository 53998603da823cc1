package dev.holdfast.snapshot;

import java.util.List;
import java.util.Objects;

/**
 * What a restore needs of a worker, recorded when the state was written.
 *
 * @param runtimeBuild the SHA-256 of the runtime build that wrote it: no other one reads it
 * @param platform the runtime's platform and flags
 * @param cpuFeatures the processor's feature words, sorted; a worker needs all of them
 * @param agentProtocol the version the agent inside speaks
 */
public record Fingerprint(
        String runtimeBuild,
        String platform,
        String architecture,
        List<String> cpuFeatures,
        int agentProtocol) {

    public Fingerprint {
        Objects.requireNonNull(runtimeBuild);
        Objects.requireNonNull(platform);
        Objects.requireNonNull(architecture);
        cpuFeatures = List.copyOf(cpuFeatures);
    }
}
