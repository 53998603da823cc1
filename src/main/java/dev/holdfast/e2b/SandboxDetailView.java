package dev.holdfast.e2b;

import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.SandboxTokens;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What info answers.
 *
 * @param state only ever {@code running} or {@code paused}: clients know no other words
 * @param lifecycleState the true state
 * @param allowInternetAccess absent when nobody said
 */
public record SandboxDetailView(
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
        String envdAccessToken,
        String domain,
        Boolean allowInternetAccess,
        NetworkView network,
        Lifecycle lifecycle,
        List<MountView> volumeMounts) {

    /** What happens at the timeout. */
    public record Lifecycle(boolean autoResume, String onTimeout) {}

    static SandboxDetailView of(Sandbox sandbox, SandboxTokens tokens) {
        ListedSandboxView listed = ListedSandboxView.of(sandbox);
        return new SandboxDetailView(
                listed.templateID(),
                listed.alias(),
                listed.sandboxID(),
                listed.clientID(),
                listed.startedAt(),
                listed.endAt(),
                listed.cpuCount(),
                listed.memoryMB(),
                listed.diskSizeMB(),
                listed.state(),
                listed.lifecycleState(),
                listed.envdVersion(),
                listed.metadata(),
                sandbox.isSecured() ? tokens.access(sandbox.id()) : null,
                Domain.told(),
                sandbox.network().internet().orElse(null),
                NetworkView.of(sandbox.network()),
                new Lifecycle(
                        sandbox.lifecycle().autoResume(),
                        sandbox.lifecycle().onTimeout().pauses() ? "pause" : "kill"),
                MountView.of(sandbox));
    }

    static String clientWord(SandboxState state) {
        return switch (state) {
            case PAUSING, PAUSED, RESUMING -> "paused";
            default -> "running";
        };
    }
}
