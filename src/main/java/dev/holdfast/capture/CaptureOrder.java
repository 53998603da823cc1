package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotName;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What somebody wants saved.
 *
 * @param memory whether what is made from it goes on where the source was, or boots anew
 * @param deadline how long it may take; the usual time if empty
 * @param retention how long the snapshot is kept; as its project has it if empty
 * @param idempotency what makes asking again no second capture
 */
public record CaptureOrder(
        ProjectId project,
        SandboxId source,
        Optional<SnapshotName> name,
        boolean memory,
        Optional<Duration> deadline,
        Optional<Duration> retention,
        Optional<Idempotency> idempotency,
        String actor) {

    public CaptureOrder {
        Objects.requireNonNull(project);
        Objects.requireNonNull(source);
        Objects.requireNonNull(name);
        Objects.requireNonNull(deadline);
        Objects.requireNonNull(retention);
        Objects.requireNonNull(idempotency);
        Objects.requireNonNull(actor);
    }

    /** The same under a key, which from now on means this and nothing else. */
    public CaptureOrder named(String key) {
        String meant =
                String.join(
                        "\n",
                        "capture",
                        source.value(),
                        name.map(SnapshotName::toString).orElse(""),
                        Boolean.toString(memory),
                        deadline.map(Duration::toString).orElse(""),
                        retention.map(Duration::toString).orElse(""));
        return new CaptureOrder(
                project,
                source,
                name,
                memory,
                deadline,
                retention,
                Optional.of(Idempotency.of(key, meant)),
                actor);
    }
}
