package dev.holdfast.e2b;

import dev.holdfast.sandbox.Sandbox;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One row of the list of sandboxes. */
public record ListedSandboxView(
        String templateID,
        String alias,
        String sandboxID,
        String clientID,
        Instant startedAt,
        Instant endAt,
        int cpuCount,
        int memoryMB,
        int diskSizeMB,
        String state,
        String lifecycleState,
        String envdVersion,
        Map<String, String> metadata,
        List<MountView> volumeMounts) {

    static ListedSandboxView of(Sandbox sandbox) {
        return new ListedSandboxView(
                sandbox.template().value(),
                sandbox.template().value(),
                sandbox.id().value(),
                E2b.CLIENT_ID,
                sandbox.startedAt().orElseGet(sandbox::createdAt),
                sandbox.endAt(),
                sandbox.size().cpus(),
                sandbox.size().memoryMebibytes(),
                sandbox.size().diskMebibytes(),
                SandboxDetailView.clientWord(sandbox.state()),
                sandbox.state().word(),
                E2b.ENVD_VERSION,
                sandbox.metadata(),
                MountView.of(sandbox));
    }
}
