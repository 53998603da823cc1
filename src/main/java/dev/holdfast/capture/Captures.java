package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.template.Templates;
import dev.holdfast.worker.Overdue;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Accepts captures. */
@Stateless
public class Captures {

    @Inject CaptureConfig config;
    @Inject CaptureRequests requests;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Quotas quotas;
    @Inject Templates templates;
    @Inject Waits waits;

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
        return accept(project, source, Kind.SNAPSHOT, name, memory, actor);
    }

    /** Accepts a capture that somebody needs in passing, of which no list tells. */
    public UploadId acceptPassing(ProjectId project, SandboxId source, String actor) {
        return accept(project, source, Kind.AUTO, Optional.empty(), true, actor);
    }

    /**
     * Accepts a pause: the same capture, but the sandbox does not go on. No quota refuses it.
     *
     * @param memory whether the sandbox goes on where it was, or boots anew
     */
    public UploadId pause(ProjectId project, SandboxId source, boolean memory, String actor) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginPause(project, source, upload.value());
        hand(upload, Kind.PAUSE, Optional.empty(), memory, sandbox, actor);
        return upload;
    }

    /** A lifetime is over on this node's worker: pauses the sandbox if that is what it is to do. */
    public void observe(@Observes Overdue overdue) {
        sandboxes
                .lockIfToPause(overdue.sandbox())
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
            String actor) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginCapture(project, source, upload.value());
        if (kind == Kind.SNAPSHOT) {
            templates.requireKept(sandbox.template());
        }
        quotas.reserve(project, upload.value(), sandbox.size().memoryBytes(), config.deadline());
        hand(upload, kind, name, memory, sandbox, actor);
        return upload;
    }

    private void hand(
            UploadId upload,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Sandbox sandbox,
            String actor) {
        snapshots.accept(upload, kind, name, memory, sandbox, actor, config.deadline());
        requests.send(upload, sandbox.worker());
    }

    /** The snapshot, once its capture is over, well or badly; fails with a timeout before that. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Snapshot> outcome(UploadId upload) {
        return waits.until(
                Event.capture(upload),
                () ->
                        snapshots
                                .find(upload)
                                .filter(found -> found.state() != SnapshotState.UPLOADING),
                config.patience());
    }
}
