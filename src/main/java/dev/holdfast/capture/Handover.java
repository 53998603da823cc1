package dev.holdfast.capture;

import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.template.Templates;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The end of every acceptance, in its transaction: the row is made, the worker is asked. */
@ApplicationScoped
class Handover {

    private static final Logger LOG = Logger.getLogger(Handover.class);

    @Inject CaptureRequests requests;
    @Inject Quotas quotas;
    @Inject Snapshots snapshots;
    @Inject Templates templates;

    /**
     * Of what is charged; if its project keeps it, only as long as the template is kept.
     *
     * @throws dev.holdfast.problem.Problem {@code template_deleted}, or the limit that it is over
     */
    Snapshot charged(
            UploadId upload,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Sandbox source,
            Duration deadline,
            String actor) {
        if (kind.isListed()) {
            templates.requireKept(source.template());
        }
        quotas.reserve(source.project(), upload.value(), source.size().memoryBytes(), deadline);
        return free(upload, kind, name, memory, source, deadline, actor);
    }

    Snapshot free(
            UploadId upload,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Sandbox source,
            Duration deadline,
            String actor) {
        Snapshot snapshot = snapshots.accept(upload, kind, name, memory, source, actor, deadline);
        requests.send(upload, source.worker());
        Trail.mark(Mark.UPLOAD, upload);
        LOG.infof("Capture %s of sandbox %s goes to %s", upload, source.id(), source.worker());
        return snapshot;
    }
}
