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
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
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
    @Inject Waits waits;

    /**
     * Accepts a capture: takes the sandbox, reserves name and quota, and hands it to the worker, or
     * changes nothing. Free an expired holder of the name first ({@link
     * Snapshots#freeExpiredName}).
     */
    public UploadId accept(
            ProjectId project, SandboxId source, Optional<SnapshotName> name, String actor) {
        UploadId upload = UploadId.random();
        Sandbox sandbox = sandboxes.beginCapture(project, source, upload.value());
        quotas.reserve(project, upload.value(), sandbox.size().memoryBytes(), config.deadline());
        snapshots.accept(upload, Kind.SNAPSHOT, name, sandbox, actor, config.deadline());
        requests.send(upload, sandbox.worker());
        return upload;
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
