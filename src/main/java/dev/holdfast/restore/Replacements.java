package dev.holdfast.restore;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.capture.Captures;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Replacement;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.volume.Bindings;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Restores in place: a snapshot takes the place of a running sandbox's state, which is kept. The
 * sandbox's row alone says how far that is, so it goes on whoever dies.
 */
@Stateless
public class Replacements {

    private static final Set<SandboxState> UNDER_WAY =
            Set.of(SandboxState.PAUSING, SandboxState.RESUMING);

    @Inject Captures captures;
    @Inject Places places;
    @Inject References references;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject DatabaseTime time;
    @Inject Bindings bindings;
    @Inject Waits waits;

    /**
     * Takes the sandbox, occupies the snapshot, and has the state before captured, or changes
     * nothing.
     *
     * @param slug the project's slug, empty when it has none
     * @return the capture of the state before, by which the outcome is asked for
     * @throws Problem what a capture of the sandbox or a restore of the snapshot would be refused
     *     for
     */
    public UploadId begin(Actor asker, Optional<String> slug, SandboxId id, String reference) {
        asker.require(Permission.SNAPSHOTS_READ);
        Sandbox sandbox = sandboxes.lock(asker.project(), id);
        // First: a snapshot that is just being saved of it is waited for by nobody.
        sandbox.requireReplaceable();
        Snapshot snapshot = references.locked(asker.project(), slug, reference);
        snapshot.requireUsable(time.now());
        bindings.keep(asker.project(), snapshot.mounts());
        return captures.replace(
                sandbox,
                new Replacement(
                        snapshot.id().value(),
                        !snapshot.hasMemory(),
                        places.inPlace(snapshot, sandbox.worker())),
                asker.principal().text());
    }

    /** How long a caller is kept waiting at most. */
    public Duration patience() {
        return captures.patience();
    }

    /**
     * The sandbox, once it runs from the snapshot.
     *
     * @return fails with the problem that it came to, saying with which state the sandbox goes on,
     *     or with {@code restore_in_progress} when it takes longer than the caller waits
     */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Replaced> outcome(
            ProjectId project, SandboxId id, UploadId upload, Duration most) {
        return waits.until(
                        Event.sandbox(id),
                        () -> sandboxes.find(id).filter(x -> !UNDER_WAY.contains(x.state())),
                        most)
                .handle(
                        (sandbox, failure) -> {
                            if (failure != null) {
                                throw unfinished(id, failure);
                            }
                            return replaced(project, sandbox, upload);
                        });
    }

    private Replaced replaced(ProjectId project, Sandbox sandbox, UploadId upload) {
        if (sandbox.state() == SandboxState.ENDED) {
            throw sandbox.ended();
        }
        Snapshot before = snapshots.find(upload).orElseThrow(() -> lost(project, upload));
        before.whyFailed()
                .ifPresent(
                        why -> {
                            throw why.problem(
                                            "Nothing was restored, for the state before could not"
                                                    + " be kept")
                                    .about(project, upload);
                        });
        if (sandbox.snapshot().filter(before.id().value()::equals).isPresent()) {
            throw wentBack(sandbox, before);
        }
        return new Replaced(sandbox, before.id());
    }

    /** Somebody has deleted it since. */
    private static Problem lost(ProjectId project, UploadId upload) {
        return new Problem(
                        Reason.SNAPSHOT_DELETED,
                        "The state before was removed meanwhile. Look at the sandbox.")
                .about(project, upload);
    }

    private static Problem wentBack(Sandbox sandbox, Snapshot before) {
        return new Problem(
                        Reason.START_FAILED,
                        "The snapshot could not be restored in place: "
                                + sandbox.endDetail().orElse("its machine did not start")
                                + ". The sandbox has the state that it had before and is "
                                + sandbox.state().word()
                                + ".")
                .with("sandboxID", sandbox.id().value())
                .with("stateBefore", before.id().toString());
    }

    private static RuntimeException unfinished(SandboxId id, Throwable failure) {
        Throwable cause = Waits.cause(failure);
        if (Waits.ranOut(failure)) {
            return new Problem(
                            Reason.RESTORE_IN_PROGRESS,
                            "The restore goes on. Ask for the sandbox: it runs when it is over,"
                                    + " and its snapshotId tells from what.")
                    .with("sandboxID", id.value());
        }
        return cause instanceof Problem problem ? problem : new CompletionException(cause);
    }
}
