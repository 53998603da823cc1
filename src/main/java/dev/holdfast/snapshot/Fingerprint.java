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
 * @param stateFormat the version of the saved state's layout
 */
public record Fingerprint(
        String runtimeBuild,
        String platform,
        String architecture,
        List<String> cpuFeatures,
        int agentProtocol,
        int stateFormat) {

    /** The layout that this build writes, the runtime's checkpoint files, one part each. */
    public static final int STATE_FORMAT = 1;

    /** Of a state in the layout that this build writes. */
    public Fingerprint(
            String runtimeBuild,
            String platform,
            String architecture,
            List<String> cpuFeatures,
            int agentProtocol) {
        this(runtimeBuild, platform, architecture, cpuFeatures, agentProtocol, STATE_FORMAT);
    }

    public Fingerprint {
        Objects.requireNonNull(runtimeBuild);
        Objects.requireNonNull(platform);
        Objects.requireNonNull(architecture);
        cpuFeatures = List.copyOf(cpuFeatures);
    }
}
