package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A snapshot with all that is known of it.
 *
 * @param names its qualified name; none for an unnamed one and for one whose name is free again
 * @param storedBytes what the quota counts
 * @param logicalBytes before compression
 * @param parentId the snapshot that its source was restored from
 * @param freezeMillis how long its source stood still
 * @param memory whether what is made from it goes on where its source was, or boots anew
 * @param partsState whether its stored parts are there and whole, as far as anybody has looked
 * @param occupants the live sandboxes made from it, for which it cannot be deleted
 * @param verdict whether it can be restored, where, and if not why
 */
public record SnapshotView(
        String id,
        String uploadId,
        List<String> names,
        String state,
        String kind,
        long storedBytes,
        long logicalBytes,
        Size size,
        String sourceSandboxId,
        String parentId,
        String templateId,
        String templateDigest,
        Instant createdAt,
        String createdBy,
        Instant savedAt,
        Instant expiresAt,
        Long freezeMillis,
        boolean memory,
        String partsState,
        FingerprintView fingerprint,
        List<String> occupants,
        VerdictView verdict) {

    /** What a sandbox made from it may use. */
    public record Size(int cpus, int memoryMib, int diskMib) {}

    /** What a restore needs of a worker. */
    public record FingerprintView(
            String runtimeBuild,
            String platform,
            String architecture,
            List<String> cpuFeatures,
            int agentProtocol,
            int stateFormat) {

        static FingerprintView of(Fingerprint fingerprint) {
            return new FingerprintView(
                    fingerprint.runtimeBuild(),
                    fingerprint.platform(),
                    fingerprint.architecture(),
                    fingerprint.cpuFeatures(),
                    fingerprint.agentProtocol(),
                    fingerprint.stateFormat());
        }
    }

    static SnapshotView of(Snapshot snapshot, Standing standing, Optional<Slug> slug) {
        VerdictView verdict = VerdictView.of(standing.verdict());
        return new SnapshotView(
                snapshot.id().toString(),
                snapshot.upload().toString(),
                verdict.reason().equals("expired") ? List.of() : names(snapshot, slug),
                word(snapshot.state()),
                word(snapshot.kind()),
                snapshot.storedBytes(),
                snapshot.logicalBytes(),
                new Size(
                        snapshot.size().cpus(),
                        snapshot.size().memoryMebibytes(),
                        snapshot.size().diskMebibytes()),
                snapshot.source().value(),
                snapshot.parent().map(SnapshotId::toString).orElse(null),
                snapshot.template().value(),
                snapshot.templateDigest(),
                snapshot.createdAt(),
                snapshot.createdBy(),
                snapshot.savedAt().orElse(null),
                snapshot.expiresAt().orElse(null),
                snapshot.freeze().map(Duration::toMillis).orElse(null),
                snapshot.hasMemory(),
                word(snapshot.partsState()),
                snapshot.fingerprint().map(FingerprintView::of).orElse(null),
                standing.occupants().stream().map(SandboxId::value).toList(),
                verdict);
    }

    private static List<String> names(Snapshot snapshot, Optional<Slug> slug) {
        return snapshot.name().stream()
                .flatMap(name -> slug.stream().map(own -> name.qualified(own.value())))
                .toList();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
