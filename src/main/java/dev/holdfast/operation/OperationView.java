package dev.holdfast.operation;

import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A capture as an act.
 *
 * @param kind {@code snapshot}, {@code pause}, {@code auto} or {@code fork}
 * @param state {@code running}, {@code done}, {@code failed}, {@code cancelled} or {@code expired}
 * @param phase {@code accepted}, {@code freezing}, {@code sealing} or {@code done}
 * @param name the qualified name that the snapshot has, or was to have
 * @param bytesExpected the size of the state; absent until it is written
 * @param freezeMillis how long the source stood still; absent until it goes on
 * @param reason of a failure, for programs
 * @param message of a failure, for people
 * @param figures of a failure for want of room: limit, used and needed
 */
@Schema(
        name = "Operation",
        requiredProperties = {
            "uploadId",
            "kind",
            "sandboxId",
            "snapshotId",
            "state",
            "phase",
            "bytesDone",
            "startedAt"
        })
public record OperationView(
        @Schema(format = "uuid") String uploadId,
        @Schema(enumeration = {"snapshot", "pause", "auto", "fork"}) String kind,
        @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String sandboxId,
        @Schema(format = "uuid") String snapshotId,
        String name,
        @Schema(enumeration = {"running", "done", "failed", "cancelled", "expired"}) String state,
        @Schema(enumeration = {"accepted", "freezing", "sealing", "done"}) String phase,
        long bytesDone,
        Long bytesExpected,
        Long freezeMillis,
        Instant startedAt,
        Instant deadlineAt,
        Instant endedAt,
        String reason,
        String message,
        Map<String, Long> figures) {

    public static OperationView of(Operation operation, Optional<Slug> slug) {
        Optional<Failure> failure = operation.failure();
        return new OperationView(
                operation.upload().toString(),
                word(operation.kind()),
                operation.source().value(),
                operation.snapshot().toString(),
                operation
                        .name()
                        .flatMap(name -> slug.map(own -> name.qualified(own.value())))
                        .orElse(null),
                operation.state().word(),
                word(operation.phase()),
                operation.bytesDone(),
                operation.bytesExpected().orElse(null),
                operation.freeze().map(Duration::toMillis).orElse(null),
                operation.startedAt(),
                operation.deadlineAt().orElse(null),
                operation.endedAt().orElse(null),
                failure.map(why -> why.reason().word()).orElse(null),
                failure.map(Failure::words).orElse(null),
                failure.map(Failure::figures).filter(all -> !all.isEmpty()).orElse(null));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
