package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Labels;
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
 * @param labels what the snapshot has on it from the beginning
 */
public record CaptureOrder(
        ProjectId project,
        SandboxId source,
        Optional<SnapshotName> name,
        boolean memory,
        Optional<Duration> deadline,
        Optional<Duration> retention,
        Optional<Idempotency> idempotency,
        String actor,
        Labels labels) {

    public CaptureOrder {
        Objects.requireNonNull(project);
        Objects.requireNonNull(source);
        Objects.requireNonNull(name);
        Objects.requireNonNull(deadline);
        Objects.requireNonNull(retention);
        Objects.requireNonNull(idempotency);
        Objects.requireNonNull(actor);
        Objects.requireNonNull(labels);
    }

    /** Without labels. */
    public CaptureOrder(
            ProjectId project,
            SandboxId source,
            Optional<SnapshotName> name,
            boolean memory,
            Optional<Duration> deadline,
            Optional<Duration> retention,
            Optional<Idempotency> idempotency,
            String actor) {
        this(project, source, name, memory, deadline, retention, idempotency, actor, Labels.NONE);
    }

    public CaptureOrder labelled(Labels given) {
        return new CaptureOrder(
                project, source, name, memory, deadline, retention, idempotency, actor, given);
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
                                retention.map(Duration::toString).orElse(""))
                        + (labels.equals(Labels.NONE) ? "" : "\n" + labels);
        return new CaptureOrder(
                project,
                source,
                name,
                memory,
                deadline,
                retention,
                Optional.of(Idempotency.of(key, meant)),
                actor,
                labels);
    }
}
