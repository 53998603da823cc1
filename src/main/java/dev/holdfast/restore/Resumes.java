package dev.holdfast.restore;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Snapshots;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;

/** Lets paused sandboxes go on. */
@Stateless
public class Resumes {

    @Inject Places places;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;

    /**
     * Hands a paused sandbox to a worker that can go on with it, or changes nothing.
     *
     * @param lifetime from the moment it runs; what it had before when empty
     * @param fromDisk whether it boots anew instead of going on where it was
     * @throws Problem {@code sandbox_busy} while it is in passage
     */
    public void resume(
            ProjectId project, SandboxId id, Optional<Duration> lifetime, boolean fromDisk) {
        Sandbox sandbox = sandboxes.lock(project, id);
        requirePaused(sandbox);
        Snapshot state = stateOf(sandbox);
        sandboxes.resume(
                sandbox, places.ofPaused(state).id(), lifetime, fromDisk || !state.hasMemory());
    }

    /**
     * Lets one go on that a drain has paused and whose lifetime is over, so that it is dealt with
     * where it runs. Of another it changes nothing.
     *
     * @throws Problem when no worker can go on with it now
     */
    public void resumeOverdue(SandboxId id) {
        sandboxes
                .lockIfOverdue(id)
                .ifPresent(sandbox -> resume(sandbox.project(), id, Optional.empty(), false));
    }

    private static void requirePaused(Sandbox sandbox) {
        if (sandbox.state() != SandboxState.PAUSED) {
            throw sandbox.state() == SandboxState.ENDED ? sandbox.ended() : sandbox.busy();
        }
    }

    private Snapshot stateOf(Sandbox sandbox) {
        return sandbox.image()
                .flatMap(image -> snapshots.lock(sandbox.project(), new SnapshotId(image)))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "The state of paused sandbox "
                                                + sandbox.id()
                                                + " is gone"));
    }
}
