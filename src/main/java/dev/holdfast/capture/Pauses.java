package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Passages;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.UploadId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Pauses sandboxes, answered when the state is safe. */
@ApplicationScoped
public class Pauses {

    private static final Set<SandboxState> PASSAGES =
            Set.of(SandboxState.STARTING, SandboxState.SNAPSHOTTING, SandboxState.RESUMING);

    @Inject Captures captures;
    @Inject Passages passages;
    @Inject Sandboxes sandboxes;

    /**
     * Pauses a sandbox. Who asks while it is being paused joins.
     *
     * @param memory whether it goes on where it was when it is resumed, or boots anew
     * @throws Problem {@code sandbox_not_running} when it is paused already; {@code capture_failed}
     *     when its state could not be saved, and it runs as before
     */
    public CompletionStage<Sandbox> pause(
            ProjectId project, SandboxId id, boolean memory, String actor) {
        return passages.through(
                id,
                PASSAGES,
                () ->
                        captures.outcome(begin(project, id, memory, actor))
                                .thenApply(state -> paused(project, id, state)));
    }

    private UploadId begin(ProjectId project, SandboxId id, boolean memory, String actor) {
        Optional<UploadId> joined =
                Optional.of(sandboxes.getLive(project, id))
                        .filter(sandbox -> sandbox.state() == SandboxState.PAUSING)
                        .filter(sandbox -> !sandbox.isReplaced())
                        .flatMap(Sandbox::upload)
                        .map(UploadId::new);
        sandboxes.keepPaused(project, id); // also when its worker's drain was first
        return joined.orElseGet(() -> captures.pause(project, id, memory, actor));
    }

    private Sandbox paused(ProjectId project, SandboxId id, Snapshot state) {
        // One that was captured for the last time has ended, whatever came of that.
        Sandbox after = sandboxes.getLive(project, id);
        state.failure()
                .ifPresent(
                        why -> {
                            throw new Problem(
                                            Reason.CAPTURE_FAILED,
                                            "The sandbox could not be paused: "
                                                    + why
                                                    + ". It runs as before.")
                                    .about(project, state.upload());
                        });
        return after;
    }
}
