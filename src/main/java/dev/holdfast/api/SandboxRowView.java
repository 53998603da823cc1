package dev.holdfast.api;

import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A live sandbox in a list; without the tokens of its data plane.
 *
 * @param snapshotId the snapshot it was made from or last restored to, which it occupies
 * @param snapshotName what that is called, if it has a name and the caller may read snapshots
 * @param stateSince since when it is in its state
 * @param uploadId of the capture that it is in
 * @param endAt when its time is over; absent while it is paused, since it stands still then
 * @param detail of a paused one why it could not go on the last time
 */
@Schema(
        name = "SandboxRow",
        requiredProperties = {
            "id",
            "templateId",
            "state",
            "stateSince",
            "size",
            "onTimeout",
            "timeout",
            "metadata",
            "createdAt",
            "createdBy"
        })
public record SandboxRowView(
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String id,
        @Schema(examples = "base") String templateId,
        @Schema(format = "uuid") String snapshotId,
        @Schema(examples = "acme/deps-ready:default") String snapshotName,
        @Schema(
                        enumeration = {
                            "starting",
                            "running",
                            "snapshotting",
                            "pausing",
                            "paused",
                            "resuming"
                        })
                String state,
        Instant stateSince,
        @Schema(format = "uuid") String uploadId,
        SnapshotView.Size size,
        @Schema(enumeration = {"kill", "pause", "pause_disk"}) String onTimeout,
        long timeout,
        Long idleTimeout,
        Map<String, String> metadata,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy,
        Instant startedAt,
        Instant endAt,
        String detail) {

    static SandboxRowView of(Sandbox sandbox, Map<UUID, String> names) {
        boolean paused = sandbox.state() == SandboxState.PAUSED;
        return new SandboxRowView(
                sandbox.id().value(),
                sandbox.template().value(),
                sandbox.snapshot().map(UUID::toString).orElse(null),
                sandbox.snapshot().map(names::get).orElse(null),
                sandbox.state().word(),
                sandbox.stateSince(),
                sandbox.upload().map(UUID::toString).orElse(null),
                new SnapshotView.Size(
                        sandbox.size().cpus(),
                        sandbox.size().memoryMebibytes(),
                        sandbox.size().diskMebibytes()),
                sandbox.lifecycle().onTimeout().name().toLowerCase(Locale.ROOT),
                sandbox.lifetime().toSeconds(),
                sandbox.lifecycle().idleTimeout().map(Duration::toSeconds).orElse(null),
                sandbox.metadata(),
                sandbox.createdAt(),
                sandbox.createdBy(),
                sandbox.startedAt().orElse(null),
                paused ? null : sandbox.endAt(),
                sandbox.endDetail().orElse(null));
    }
}
