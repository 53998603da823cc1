package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Labels;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is saved without anybody asking for it now.
 *
 * @param retention how long the snapshot is kept; as its project has it if empty
 * @param labels what the snapshot has on it from the beginning
 * @param end of the source, with this capture
 */
public record AutoOrder(
        ProjectId project,
        SandboxId source,
        Optional<Duration> retention,
        Labels labels,
        Optional<End> end) {

    public AutoOrder {
        Objects.requireNonNull(project);
        Objects.requireNonNull(source);
        Objects.requireNonNull(retention);
        Objects.requireNonNull(labels);
        Objects.requireNonNull(end);
    }

    /**
     * That the source ends as soon as its state is saved, or could not be.
     *
     * @param actor who wants that, as the text of a principal
     * @param within how long that may take
     */
    public record End(EndReason why, String actor, Duration within) {

        public End {
            Objects.requireNonNull(why);
            Objects.requireNonNull(actor);
            Objects.requireNonNull(within);
        }
    }
}
