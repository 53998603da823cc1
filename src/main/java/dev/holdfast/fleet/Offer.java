package dev.holdfast.fleet;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a worker says of itself.
 *
 * @param missing what it lacks to run sandboxes, in words; empty when it can
 * @param runtimeBuild the SHA-256 of the runtime build it starts sandboxes with
 * @param cpuFeatures the processor's feature words, sorted
 * @param agentProtocols the versions of the agent's protocol it speaks
 * @param stateFormats the layouts of a saved state it reads
 * @param missingForLight what it lacks besides for sandboxes of generation 1; empty when that is
 *     turned off
 * @param sandboxLimit how many sandboxes it runs at most
 */
public record Offer(
        String worker,
        List<String> missing,
        Optional<List<String>> missingForLight,
        Optional<String> runtimeBuild,
        String platform,
        String architecture,
        List<String> cpuFeatures,
        List<Integer> agentProtocols,
        List<Integer> stateFormats,
        int sandboxLimit) {

    public Offer {
        Objects.requireNonNull(worker);
        missing = List.copyOf(missing);
        missingForLight = missingForLight.map(List::copyOf);
        Objects.requireNonNull(runtimeBuild);
        Objects.requireNonNull(platform);
        Objects.requireNonNull(architecture);
        cpuFeatures = List.copyOf(cpuFeatures);
        agentProtocols = List.copyOf(agentProtocols);
        stateFormats = List.copyOf(stateFormats);
        if (sandboxLimit < 0) {
            throw new IllegalArgumentException("a worker runs no negative number of sandboxes");
        }
    }
}
