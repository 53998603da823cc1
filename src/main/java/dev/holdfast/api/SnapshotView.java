package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.inventory.Status;
import dev.holdfast.retention.Regime;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Hold;
import dev.holdfast.snapshot.Pin;
import dev.holdfast.snapshot.RemovalReason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A snapshot with all that is known of it.
 *
 * @param names its qualified name; none for an unnamed one and for one whose name is free again
 * @param formerName the one that it had, of one whose name is free again
 * @param status in which list it is besides {@code all}; what has expired awaits its clean-up
 * @param storedBytes what the quota counts
 * @param logicalBytes before compression
 * @param parentId the snapshot that its source was restored from
 * @param freezeMillis how long its source stood still
 * @param memory whether what is made from it goes on where its source was, or boots anew
 * @param contents the same in a word
 * @param partsState whether its stored parts are there and whole, as far as anybody has looked
 * @param occupants the live sandboxes made from it, for which it cannot be deleted
 * @param verdict whether it can be restored, where, and if not why
 * @param failure of a capture that came to nothing
 * @param cleanup of one whose objects are being removed
 * @param expiresAt when it ends; absent while it is pinned without an end
 * @param ownExpiresAt when it would end without pin and hold, of one that has one of these
 * @param retentionVersion which version of the project's retention policy rules it; absent: none
 * @param trashedUntil until when it can be brought back, of one that is in the trash
 * @param pin somebody's wish that it stays; it may be over
 * @param hold an order that it stays until a moment; it may be over
 * @param mounts the volumes that a restore mounts, with what is in them then
 */
@Schema(
        name = "Snapshot",
        requiredProperties = {
            "id",
            "uploadId",
            "names",
            "status",
            "state",
            "kind",
            "storedBytes",
            "logicalBytes",
            "size",
            "sourceSandboxId",
            "templateId",
            "createdAt",
            "createdBy",
            "memory",
            "contents",
            "partsState",
            "occupants",
            "verdict",
            "labels",
            "mounts"
        })
public record SnapshotView(
        @Schema(format = "uuid") String id,
        @Schema(format = "uuid") String uploadId,
        @Schema(examples = "[\"claims/deps-ready:v1\"]") List<String> names,
        String formerName,
        @Schema(enumeration = {"saved", "uploads", "awaitingCleanup", "trashed"}) String status,
        @Schema(enumeration = {"uploading", "saved", "trashed", "cleanup_pending"}) String state,
        @Schema(enumeration = {"snapshot", "pause", "auto"}) String kind,
        long storedBytes,
        long logicalBytes,
        Size size,
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String sourceSandboxId,
        @Schema(format = "uuid") String parentId,
        @Schema(examples = "base") String templateId,
        String templateDigest,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy,
        Instant savedAt,
        Instant expiresAt,
        Long freezeMillis,
        boolean memory,
        @Schema(enumeration = {"memory", "files"}) String contents,
        @Schema(enumeration = {"pending", "complete", "missing", "corrupt"}) String partsState,
        FingerprintView fingerprint,
        @Schema(examples = "[\"i3kq9v0x7c2m5n8p1r4t6\"]") List<String> occupants,
        VerdictView verdict,
        @Schema(enumeration = {"deleted", "expired", "failed"}) String removalReason,
        Instant removedAt,
        FailureView failure,
        CleanupView cleanup,
        String note,
        Map<String, String> labels,
        Instant lastRestoredAt,
        Instant ownExpiresAt,
        Integer retentionVersion,
        GuardView pin,
        GuardView hold,
        Instant trashedUntil,
        List<MountView> mounts) {

    /** JSON-B puts whatever it is within into a set: a page would be hashed whole at each level. */
    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /**
     * What keeps it from its end.
     *
     * @param until absent: until the pin is lifted
     */
    @Schema(name = "Guard")
    public record GuardView(String reason, String by, Instant at, Instant until) {

        static GuardView of(Pin pin) {
            return new GuardView(pin.reason(), pin.by(), pin.at(), pin.until());
        }

        static GuardView of(Hold hold) {
            return new GuardView(hold.reason(), hold.by(), hold.at(), hold.until());
        }
    }

    /** Why its capture came to nothing. */
    @Schema(
            name = "CaptureFailure",
            requiredProperties = {"reason", "message"})
    public record FailureView(
            @Schema(examples = "capture_failed") String reason,
            String message,
            Map<String, Long> figures) {

        static FailureView of(Failure failure) {
            return new FailureView(
                    failure.reason().word(),
                    failure.words(),
                    failure.figures().isEmpty() ? null : failure.figures());
        }
    }

    /**
     * How far the removal of its objects is; their bytes are charged until it is done.
     *
     * @param attempts how often it has failed
     * @param lastError how, the last time
     * @param nextAttemptAt not before
     */
    @Schema(
            name = "Cleanup",
            requiredProperties = {"attempts"})
    public record CleanupView(int attempts, String lastError, Instant nextAttemptAt) {

        static CleanupView of(Snapshot snapshot) {
            return new CleanupView(
                    snapshot.cleanupAttempts(),
                    snapshot.cleanupError().orElse(null),
                    snapshot.cleanupAfter().orElse(null));
        }
    }

    /** What a sandbox made from it may use. */
    @Schema(
            name = "SnapshotSize",
            requiredProperties = {"cpus", "memoryMib", "diskMib"})
    public record Size(int cpus, int memoryMib, int diskMib) {}

    /**
     * What a restore needs of a worker.
     *
     * @param cpuFeatures absent in lists: they are over a hundred words, the same in most rows
     */
    @Schema(
            name = "Fingerprint",
            requiredProperties = {
                "runtimeBuild",
                "platform",
                "architecture",
                "agentProtocol",
                "stateFormat"
            })
    public record FingerprintView(
            String runtimeBuild,
            String platform,
            String architecture,
            @Schema(description = "Absent in lists") List<String> cpuFeatures,
            int agentProtocol,
            int stateFormat) {

        static FingerprintView of(Fingerprint fingerprint) {
            return of(fingerprint, fingerprint.cpuFeatures());
        }

        static FingerprintView inRow(Fingerprint fingerprint) {
            return of(fingerprint, null);
        }

        private static FingerprintView of(Fingerprint fingerprint, List<String> cpuFeatures) {
            return new FingerprintView(
                    fingerprint.runtimeBuild(),
                    fingerprint.platform(),
                    fingerprint.architecture(),
                    cpuFeatures,
                    fingerprint.agentProtocol(),
                    fingerprint.stateFormat());
        }
    }

    static SnapshotView of(
            Snapshot snapshot, Standing standing, Optional<Slug> slug, Regime regime) {
        return of(
                snapshot, standing, slug, regime, snapshot.fingerprint().map(FingerprintView::of));
    }

    /** As a list has it. */
    static SnapshotView row(
            Snapshot snapshot, Standing standing, Optional<Slug> slug, Regime regime) {
        return of(
                snapshot,
                standing,
                slug,
                regime,
                snapshot.fingerprintInShort().map(FingerprintView::inRow));
    }

    private static SnapshotView of(
            Snapshot snapshot,
            Standing standing,
            Optional<Slug> slug,
            Regime regime,
            Optional<FingerprintView> needs) {
        VerdictView verdict = VerdictView.of(standing.verdict());
        boolean expired = verdict.reason().equals("expired");
        List<String> names = expired ? List.of() : names(snapshot.name(), slug);
        return new SnapshotView(
                snapshot.id().toString(),
                snapshot.upload().toString(),
                names,
                names.isEmpty()
                        ? names(snapshot.everNamed(), slug).stream().findFirst().orElse(null)
                        : null,
                Status.word(snapshot, expired),
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
                snapshot.endsAt().orElse(null),
                snapshot.freeze().map(Duration::toMillis).orElse(null),
                snapshot.hasMemory(),
                snapshot.hasMemory() ? "memory" : "files",
                word(snapshot.partsState()),
                needs.orElse(null),
                standing.occupants().stream().map(SandboxId::value).toList(),
                verdict,
                expired
                        ? word(RemovalReason.EXPIRED)
                        : snapshot.removalReason().map(SnapshotView::word).orElse(null),
                snapshot.removedAt()
                        .or(() -> snapshot.expiresAt().filter(x -> expired))
                        .orElse(null),
                snapshot.whyFailed().map(FailureView::of).orElse(null),
                snapshot.state() == SnapshotState.CLEANUP_PENDING ? CleanupView.of(snapshot) : null,
                snapshot.note().orElse(null),
                snapshot.labels().values(),
                snapshot.lastRestoredAt().orElse(null),
                snapshot.ownExpiry()
                        .filter(x -> snapshot.pin().isPresent() || snapshot.hold().isPresent())
                        .orElse(null),
                snapshot.savedAt().flatMap(regime::of).map(Regime.Version::number).orElse(null),
                snapshot.pin().map(GuardView::of).orElse(null),
                snapshot.hold().map(GuardView::of).orElse(null),
                snapshot.trashedUntil().orElse(null),
                MountView.of(snapshot.mounts()));
    }

    private static List<String> names(Optional<SnapshotName> held, Optional<Slug> slug) {
        return held.stream()
                .flatMap(name -> slug.stream().map(own -> name.qualified(own.value())))
                .toList();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
