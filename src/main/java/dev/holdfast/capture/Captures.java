package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Replacement;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Annotations;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.worker.Overdue;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Accepts captures. */
@Stateless
public class Captures {

    @Inject Annotations annotations;
    @Inject CaptureConfig config;
    @Inject Handover handover;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Waits waits;

    /**
     * Accepts a capture, or finds the one that was accepted under the same key.
     *
     * @throws Problem {@code idempotency_key_reused} for a key that means another order
     */
    public UploadId accept(CaptureOrder order) {
        Duration deadline = order.deadline().orElse(config.deadline());
        if (deadline.isNegative()
                || deadline.isZero()
                || deadline.compareTo(config.deadline()) > 0) {
            throw Problem.invalid(
                    "deadline",
                    "\"deadline\" is a number of seconds from 1 to "
                            + config.deadline().toSeconds()
                            + ".");
        }
        Optional<UploadId> before = ordered(order);
        if (before.isPresent()) {
            return before.get();
        }
        sandboxes.lock(order.project(), order.source());
        // Asked again under the lock: the same order may have come in at the same moment.
        return ordered(order).orElseGet(() -> accept(order, deadline));
    }

    private Optional<UploadId> ordered(CaptureOrder order) {
        return order.idempotency().flatMap(key -> snapshots.ordered(order.project(), key));
    }

    private UploadId accept(CaptureOrder order, Duration deadline) {
        UploadId upload =
                accept(
                        order.project(),
                        order.source(),
                        Kind.SNAPSHOT,
                        order.name(),
                        order.memory(),
                        deadline,
                        order.actor());
        Snapshot snapshot = snapshots.find(upload).orElseThrow();
        order.retention().ifPresent(asked -> retentions.ask(snapshot, asked));
        annotations.label(snapshot, order.labels());
        order.idempotency().ifPresent(key -> snapshots.remember(snapshot, key));
        return upload;
    }

    /**
     * Accepts a capture: takes the sandbox, reserves name and quota, and hands it to the worker, or
     * changes nothing. Free an expired holder of the name first ({@link
     * Snapshots#freeExpiredName}).
     *
     * @param memory whether what is made from it goes on where the source was, or boots anew
     */
    public UploadId accept(
            ProjectId project,
            SandboxId source,
            Optional<SnapshotName> name,
            boolean memory,
            String actor) {
        return accept(
                new CaptureOrder(
                        project,
                        source,
                        name,
                        memory,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        actor));
    }

    /** Accepts a capture that somebody needs in passing, of which no list tells. */
    public UploadId acceptPassing(ProjectId project, SandboxId source, String actor) {
        return accept(project, source, Kind.FORK, Optional.empty(), true, config.deadline(), actor);
    }

    /**
     * Accepts a pause: the same capture, but the sandbox does not go on. No quota refuses it.
     *
     * @param memory whether the sandbox goes on where it was, or boots anew
     */
    public UploadId pause(ProjectId project, SandboxId source, boolean memory, String actor) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginPause(project, source, upload.value());
        handover.free(
                upload, Kind.PAUSE, Optional.empty(), memory, sandbox, config.deadline(), actor);
        return upload;
    }

    /** The same because the sandbox's worker is being drained, which nobody who uses it wanted. */
    public UploadId drain(ProjectId project, SandboxId source) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginDrain(project, source, upload.value());
        handover.free(
                upload, Kind.PAUSE, Optional.empty(), true, sandbox, config.deadline(), "system");
        return upload;
    }

    /**
     * Accepts the capture of a state that another one takes the place of, whose sandbox the caller
     * has locked. It is a snapshot like any other, and refused for quota like any other.
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public UploadId replace(Sandbox sandbox, Replacement by, String actor) {
        UploadId upload = UploadId.random();
        sandboxes.beginReplacement(sandbox, upload.value(), by);
        handover.charged(
                upload, Kind.AUTO, Optional.empty(), true, sandbox, config.deadline(), actor);
        return upload;
    }

    /**
     * A sandbox's time is over on this node's worker: pauses the sandbox if that is what it is to
     * do.
     */
    public void observe(@Observes Overdue overdue) {
        sandboxes
                .lockIfToPause(overdue.sandbox(), overdue.idle())
                .ifPresent(
                        due ->
                                pause(
                                        due.project(),
                                        due.id(),
                                        due.lifecycle().onTimeout().keepsMemory(),
                                        "system"));
    }

    private UploadId accept(
            ProjectId project,
            SandboxId source,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Duration deadline,
            String actor) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginCapture(project, source, upload.value());
        handover.charged(upload, kind, name, memory, sandbox, deadline, actor);
        return upload;
    }

    /** How long a caller is kept waiting at most. */
    public Duration patience() {
        return config.patience();
    }

    /** The snapshot, once its capture is over, well or badly; fails with a timeout before that. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Snapshot> outcome(UploadId upload) {
        return outcome(upload, config.patience());
    }

    /**
     * The snapshot, once it is saved.
     *
     * @return fails with the problem that the capture came to, or {@code capture_in_progress} when
     *     it takes longer than the caller waits
     */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Snapshot> saved(ProjectId project, UploadId upload, Duration most) {
        return outcome(upload, most)
                .handle(
                        (snapshot, failure) -> {
                            if (failure != null) {
                                throw unfinished(project, upload, failure);
                            }
                            snapshot.whyFailed()
                                    .ifPresent(
                                            why -> {
                                                throw why.problem("The capture failed")
                                                        .about(project, upload);
                                            });
                            return snapshot;
                        });
    }

    private RuntimeException unfinished(ProjectId project, UploadId upload, Throwable failure) {
        if (Waits.ranOut(failure)) {
            return new Problem(
                            Reason.CAPTURE_IN_PROGRESS,
                            "The capture goes on. Ask its operation how far it is, or look for its"
                                    + " snapshot in the list.")
                    .about(project, upload);
        }
        return Waits.cause(failure) instanceof Problem problem
                ? problem.about(project, upload)
                : new CompletionException(Waits.cause(failure));
    }

    /** The same with a limit of the caller's. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Snapshot> outcome(UploadId upload, Duration most) {
        return waits.until(
                Event.capture(upload),
                () ->
                        snapshots
                                .find(upload)
                                .filter(found -> found.state() != SnapshotState.UPLOADING),
                most);
    }
}
